/**
 * The two buckets; each function's role reaches its space only. Anchored checkpoints lie under
 * Object Lock: for a year nobody can take one back, not even the account's owner. Outside
 * production nothing is locked. Files that people sent are removed by the bucket's own rule, files
 * of skills with their skill.
 */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { CONTENT_DAYS, skillPlace } from '../../lib/core/store/contents.ts';
import type { AgentFunction } from './agent-function.ts';

/** How long an anchored checkpoint cannot be deleted by anybody. */
const ANCHOR_RETENTION_DAYS = 365;

interface SpaceBucketProps {
  readonly isProduction: boolean;
  readonly space: string;
}

class SpaceBucket extends Construct {
  readonly bucket: Bucket;
  protected readonly space: string;

  constructor(scope: Construct, id: string, { isProduction, space }: SpaceBucketProps, more: BucketProps) {
    super(scope, id);
    this.space = space;
    this.bucket = new Bucket(this, 'Bucket', {
      ...more,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // A locked bucket cannot be emptied, so a stack could never delete it.
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** By the bucket's own policy. */
  protected let({ role }: AgentFunction, actions: string[], resource: string, more: PolicyStatementProps = {}): void {
    const statement = { principals: [role], actions, resources: [resource], ...more };
    this.bucket.addToResourcePolicy(new PolicyStatement(statement));
  }
}

export class AnchorBucket extends SpaceBucket {
  constructor(scope: Construct, id: string, props: SpaceBucketProps) {
    const lock = {
      objectLockEnabled: true,
      objectLockDefaultRetention: ObjectLockRetention.compliance(Duration.days(ANCHOR_RETENTION_DAYS)),
    } as const;
    super(scope, id, props, { versioned: true, ...(props.isProduction ? lock : {}) });
  }

  /** Lets a function add anchors of its space. */
  letWrite(writer: AgentFunction): void {
    this.let(writer, ['s3:PutObject'], this.bucket.arnForObjects(`${this.space}/*`));
  }

  /** Ids, hashes and names, for a table that lost them. */
  letReadForgotten(reader: AgentFunction): void {
    this.let(reader, ['s3:GetObject'], this.bucket.arnForObjects(`${this.space}/forgotten/*`));
  }

  /** The names of anchors say how far they go. */
  letList(reader: AgentFunction): void {
    reader.lambda.addEnvironment('ANCHOR_BUCKET', this.bucket.bucketName);
    const conditions = { StringLike: { 's3:prefix': `${this.space}/*` } };
    this.let(reader, ['s3:ListBucket'], this.bucket.bucketArn, { conditions });
  }
}

export class ContentBucket extends SpaceBucket {
  constructor(scope: Construct, id: string, props: SpaceBucketProps) {
    const lifecycleRules = [{ expiration: Duration.days(CONTENT_DAYS), prefix: `${props.space}/` }];
    super(scope, id, props, { lifecycleRules });
  }

  letWrite(writer: AgentFunction): void {
    this.letDo(writer, ['s3:PutObject', 's3:DeleteObject']);
  }

  letRead(reader: AgentFunction): void {
    this.letDo(reader, ['s3:GetObject']);
  }

  letKeepSkills(keeper: AgentFunction): void {
    this.letDo(keeper, ['s3:PutObject', 's3:DeleteObject', 's3:GetObject'], skillPlace(this.space));
  }

  letReadSkills(reader: AgentFunction): void {
    this.letDo(reader, ['s3:GetObject'], skillPlace(this.space));
  }

  private letDo(agent: AgentFunction, actions: string[], prefix = this.space): void {
    agent.lambda.addEnvironment('CONTENT_BUCKET', this.bucket.bucketName);
    this.let(agent, actions, this.bucket.arnForObjects(`${prefix}/*`));
  }
}
