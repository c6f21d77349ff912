/**
 * The bucket of pictures and documents that people sent, emptied by its own rule after 30 days.
 * Each function's role reaches it for its space only.
 */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { CONTENT_DAYS } from '../../lib/store/contents.ts';
import type { AgentFunction } from './agent-function.ts';

export class ContentBucket extends Construct {
  readonly bucket: Bucket;
  private readonly space: string;

  constructor(scope: Construct, id: string, props: { readonly isProduction: boolean; readonly space: string }) {
    super(scope, id);
    this.space = props.space;
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(CONTENT_DAYS) }],
      removalPolicy: props.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  letWrite(writer: AgentFunction): void {
    this.let(writer, ['s3:PutObject', 's3:DeleteObject']);
  }

  letRead(reader: AgentFunction): void {
    this.let(reader, ['s3:GetObject']);
  }

  private let({ role, lambda }: AgentFunction, actions: string[]): void {
    lambda.addEnvironment('CONTENT_BUCKET', this.bucket.bucketName);
    const resources = [this.bucket.arnForObjects(`${this.space}/*`)];
    this.bucket.addToResourcePolicy(new PolicyStatement({ principals: [role], actions, resources }));
  }
}
