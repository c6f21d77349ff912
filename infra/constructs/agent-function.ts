/**
 * One Lambda function as its row of the function table says: a variable and its permission stay
 * together, and nothing is granted that the row does not name.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, CfnResource, DockerImage, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  type FunctionName,
  type SettingName,
  secretsOf,
  settingOf,
  settingsOf,
} from '../../lib/core/store/settings.ts';
import { buildFunction } from '../build-function.ts';
import { ROOT } from '../bundling.ts';
import { settingsPrologue } from '../environment-size.ts';
import type { FunctionSpec } from '../function-spec.ts';
import { entryOf, type FunctionMetadata, specOf } from '../functions.ts';
import type { StackSettings } from '../settings.ts';
import { RoleSecret } from './role-secret.ts';
import type { StateTable } from './state-table.ts';

export interface AgentFunctionProps {
  readonly name: FunctionName;
  readonly settings: StackSettings;
  readonly state: StateTable;
  /** False for templates that are only read (the local stack, tests): no code is built. */
  readonly isBundled: boolean;
}

/** The alias that everything names which runs a function. It says which version is in use. */
export const LIVE = 'live';

export class AgentFunction extends Construct {
  readonly name: FunctionName;
  readonly spec: FunctionSpec;
  readonly role: Role;
  readonly lambda: LambdaFunction;
  readonly live: Alias;
  readonly logGroup: LogGroup;
  /** Absent for functions that hold no secret, or another's. */
  readonly secret: RoleSecret | undefined;

  constructor(scope: Construct, id: string, props: AgentFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.spec = specOf(props.name);
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup = new LogGroup(this, 'Logs', {
      // Log lines answer questions of the last weeks; evidence lives in the table.
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: props.settings.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // AWSLambdaBasicExecutionRole could write to every log group of the account.
    this.logGroup.grantWrite(this.role);
    this.lambda = this.buildFunction(props);
    props.state.grant(this.role, this.spec);
    this.secret =
      secretsOf(this.name).length > 0 && this.spec.secretOf === undefined
        ? new RoleSecret(this, 'Secret', { name: props.name })
        : undefined;
    if (this.secret !== undefined) this.secret.giveTo(this);
    this.live = this.lambda.addAlias(LIVE);
    this.addMetadata();
  }

  may(action: string, ...resources: string[]): void {
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
  }

  private buildFunction(props: AgentFunctionProps): LambdaFunction {
    const settings = pickSettings(props.name, props.settings);
    const isWithCode = (name: SettingName): boolean => props.isBundled && settingOf(name).isLong === true;
    const longSettings = Object.fromEntries(settings.filter(([name]) => isWithCode(name)));
    return new LambdaFunction(this, 'Function', {
      code: props.isBundled
        ? bundledCode(props.name, longSettings)
        : Code.fromInline('// not bundled: see the metadata for the entry'),
      handler: 'index.handler',
      // Older versions stay, to go back to. One that a failed deploy made must not: Lambda would
      // refuse to publish the same version again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // Requests from outside must not take the runs that the stages need. Off by default, because
      // a new account has no room for it.
      ...(this.spec.trigger.type === 'http' && props.settings.urlConcurrency !== undefined
        ? { reservedConcurrentExecutions: props.settings.urlConcurrency }
        : {}),
      memorySize: (props.name === 'reason' ? props.settings.reasonMemoryMb : undefined) ?? this.spec.memoryMb,
      timeout: Duration.millis(this.spec.timeoutMs),
      tracing: Tracing.DISABLED,
      role: this.role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // A plain turn logs nothing itself, and Lambda's metrics say the same as its three lines.
      systemLogLevelV2: props.settings.logLevel === 'debug' ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      environment: {
        SPACE: props.settings.space,
        LOG_LEVEL: props.settings.logLevel,
        ...(this.spec.reads.length === 0 ? {} : { TABLE_NAME: props.state.table.tableName }),
        ...Object.fromEntries(settings.filter(([name]) => !isWithCode(name))),
      },
    });
  }

  private addMetadata(): void {
    const metadata: FunctionMetadata = {
      name: this.name,
      entry: entryOf(this.name),
      routes: this.spec.trigger.type === 'http' ? this.spec.trigger.routes : [],
      secrets: secretsOf(this.name),
    };
    const resource = this.lambda.node.defaultChild;
    if (!CfnResource.isCfnResource(resource)) throw new Error(`${this.name} has no CloudFormation resource`);
    resource.addMetadata('passepartout', metadata);
  }
}

/** CDK caches by these options, so the command names the function. */
const bundledCode = (name: FunctionName, longSettings: Readonly<Record<string, string>>): Code =>
  Code.fromAsset(ROOT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      command: ['build', name, JSON.stringify(longSettings)],
      local: {
        tryBundle: (outdir) => {
          buildFunction(name, outdir);
          const entry = join(outdir, 'index.mjs');
          writeFileSync(entry, settingsPrologue(longSettings) + readFileSync(entry, 'utf8'));
          return true;
        },
      },
    },
  });

const pickSettings = (
  functionName: FunctionName,
  settings: StackSettings,
): readonly (readonly [SettingName, string])[] =>
  settingsOf(functionName).flatMap((name) => {
    const value = settings.functions[name];
    return value === undefined ? [] : [[name, value] as const];
  });
