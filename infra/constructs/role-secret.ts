/**
 * The secret of one function, which only its role reads: a JSON object named
 * `passepartout/<stack>/<function>`. The owner fills in what is not generated, so that no secret
 * passes through a template.
 */
import { RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type FunctionName, type SecretName, secretsOf } from '../../lib/core/store/settings.ts';
import type { AgentFunction } from './agent-function.ts';

/** Shared between this system and its own clients only: nobody needs to choose them. */
const GENERATED: readonly SecretName[] = ['APPROVER_TOKEN', 'TELEGRAM_WEBHOOK_SECRET', 'LOG_SIGNING_KEY'];

/** They fit headers, URL fragments and `secret_token`. 43 × 5.95 bits > 256. */
export const GENERATED_CHARS = 43;

export interface RoleSecretProps {
  readonly name: FunctionName;
}

export class RoleSecret extends Construct {
  readonly secret: Secret;
  readonly secretName: string;

  constructor(scope: Construct, id: string, props: RoleSecretProps) {
    super(scope, id);
    const secrets = secretsOf(props.name);
    const generated = secrets.filter((name) => GENERATED.includes(name));
    const values = Object.fromEntries(generated.map((name) => [name, this.generate(name)]));
    const missing = secrets.filter((name) => !GENERATED.includes(name));
    this.secretName = `passepartout/${Stack.of(this).stackName}/${props.name}`;
    this.secret = new Secret(this, 'Secret', {
      secretName: this.secretName,
      description:
        missing.length === 0
          ? `Passepartout ${props.name}: generated`
          : `Passepartout ${props.name}: JSON; fill in what you use of ${missing.join(', ')}`,
      secretObjectValue:
        // CloudFormation writes this again only if the line changes, so the owner's values stay.
        generated.length === 0 ? { NOTE: SecretValue.unsafePlainText('add the names in the description') } : values,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** Lets the function's role read this secret, and nothing else, and tells it where. */
  giveTo(reader: AgentFunction): void {
    reader.lambda.addEnvironment('SECRET_ID', this.secretName);
    reader.may('secretsmanager:GetSecretValue', this.secret.secretArn);
  }

  /**
   * Secrets Manager generates one value per secret. The function's refers to it by a dynamic
   * reference.
   */
  private generate(name: SecretName): SecretValue {
    const source = new Secret(this, `Generated${name.replaceAll('_', '')}`, {
      description: `Generated value of ${name}; read by CloudFormation only`,
      generateSecretString: { passwordLength: GENERATED_CHARS, excludePunctuation: true, includeSpace: false },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    return source.secretValue;
  }
}
