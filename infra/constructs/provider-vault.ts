/**
 * The vault: keys of model providers that are added while the stack runs. One secret, each change a
 * new version; the console alone writes it, and whoever asks a provider reads it.
 */
import { RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { AgentFunction } from './agent-function.ts';

export class ProviderVault extends Construct {
  private readonly secret: Secret;
  private readonly secretName: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secretName = `passepartout/${Stack.of(this).stackName}/vault`;
    this.secret = new Secret(this, 'Secret', {
      secretName: this.secretName,
      description: 'Passepartout: keys of model providers that were added while it runs',
      // CloudFormation writes this again only if the line changes, so the keys stay.
      secretStringValue: SecretValue.unsafePlainText('{}'),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  letRead(reader: AgentFunction): void {
    reader.lambda.addEnvironment('PROVIDER_VAULT', this.secretName);
    reader.may('secretsmanager:GetSecretValue', this.secret.secretArn);
  }

  /** It reads what is there before it adds to it. */
  letWrite(writer: AgentFunction): void {
    this.letRead(writer);
    writer.may('secretsmanager:PutSecretValue', this.secret.secretArn);
  }
}
