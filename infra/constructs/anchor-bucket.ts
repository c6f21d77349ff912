/**
 * The bucket of anchored checkpoints, under Object Lock: for a year nobody can take one back, not
 * even the account's owner. Outside production nothing is locked.
 */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { AgentFunction } from './agent-function.ts';

/** How long an anchored checkpoint cannot be deleted by anybody. */
const ANCHOR_RETENTION_DAYS = 365;

export class AnchorBucket extends Construct {
  readonly bucket: Bucket;
  private readonly space: string;

  constructor(scope: Construct, id: string, props: { readonly isProduction: boolean; readonly space: string }) {
    super(scope, id);
    this.space = props.space;
    const lock = {
      objectLockEnabled: true,
      objectLockDefaultRetention: ObjectLockRetention.compliance(Duration.days(ANCHOR_RETENTION_DAYS)),
    } as const;
    this.bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      ...(props.isProduction ? lock : {}),
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // A locked bucket cannot be emptied, so a stack could never delete it.
      removalPolicy: props.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** Lets a function add anchors of its space. */
  letWrite(writer: AgentFunction): void {
    this.let(writer, 's3:PutObject', this.bucket.arnForObjects(`${this.space}/*`));
  }

  /** Ids, hashes and names, for a table that lost them. */
  letReadForgotten(reader: AgentFunction): void {
    this.let(reader, 's3:GetObject', this.bucket.arnForObjects(`${this.space}/forgotten/*`));
  }

  /** The names of anchors say how far they go. */
  letList(reader: AgentFunction): void {
    reader.lambda.addEnvironment('ANCHOR_BUCKET', this.bucket.bucketName);
    const conditions = { StringLike: { 's3:prefix': `${this.space}/*` } };
    this.let(reader, 's3:ListBucket', this.bucket.bucketArn, { conditions });
  }

  /** By the bucket's own policy. */
  private let({ role }: AgentFunction, action: string, resource: string, more: PolicyStatementProps = {}): void {
    const statement = { principals: [role], actions: [action], resources: [resource], ...more };
    this.bucket.addToResourcePolicy(new PolicyStatement(statement));
  }
}
