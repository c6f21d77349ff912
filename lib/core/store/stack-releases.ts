/**
 * A deployed stack as `go-back` reads and changes it: its state, the versions of its functions, and
 * the version of its data. Only the command line uses it. Throws the clients' own errors.
 */
import { randomUUID } from 'node:crypto';
import {
  CancelUpdateStackCommand,
  CloudFormationClient,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAliasCommand, LambdaClient, paginateListVersionsByFunction } from '@aws-sdk/client-lambda';
import { dynamoClient } from './clients.ts';
import { storedDataVersion } from './data-version.ts';
import { buildTable } from './table.ts';

export interface StackState {
  /** CloudFormation's own word, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly reason: string;
  readonly outputs: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
}

interface FunctionVersion {
  readonly version: string;
  readonly description: string;
  readonly publishedAt: string;
}

export interface DeployedFunction {
  /** The version that the alias `live` names. */
  readonly live: string;
  /** The oldest first. */
  readonly versions: readonly FunctionVersion[];
}

export interface StackReleases {
  readonly loadStack: () => Promise<StackState>;
  readonly loadFunction: (functionName: string) => Promise<DeployedFunction>;
  readonly loadDataVersion: (tableName: string, space: string) => Promise<number>;
  /** Whether the update that is running was begun by `setParameter`. */
  readonly isGoingBack: () => Promise<boolean>;
  /** Updates the stack: this parameter changes, and nothing else. */
  readonly setParameter: (name: string, value: string) => Promise<void>;
  /** Takes back the update that is running. */
  readonly cancelUpdate: () => Promise<void>;
}

const CLIENT = { maxAttempts: 3 } as const;
const ALIAS = 'live';
/** CloudFormation gives every event of an update the token of the request that began it. */
const TOKEN_START = 'go-back-';

const pairs = (entries: readonly (readonly [string | undefined, string | undefined])[]): ReadonlyMap<string, string> =>
  new Map(entries.flatMap(([key, value]) => (key === undefined || value === undefined ? [] : [[key, value] as const])));

const loadStack = async (client: CloudFormationClient, name: string): Promise<StackState> => {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
  return {
    status: stack?.StackStatus ?? '',
    reason: stack?.StackStatusReason ?? '',
    outputs: pairs((stack?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
    parameters: pairs(
      (stack?.Parameters ?? []).map(({ ParameterKey, ParameterValue }) => [ParameterKey, ParameterValue]),
    ),
  };
};

const loadVersions = async (client: LambdaClient, name: string): Promise<readonly FunctionVersion[]> => {
  const versions: FunctionVersion[] = [];
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName: name })) {
    for (const { Version: version = '', Description = '', LastModified = '' } of page.Versions ?? []) {
      if (/^\d+$/.test(version)) versions.push({ version, description: Description, publishedAt: LastModified });
    }
  }
  return versions.sort((left, right) => Number(left.version) - Number(right.version));
};

export const openStackReleases = (stack: string): StackReleases => {
  const cloudFormation = new CloudFormationClient(CLIENT);
  const lambda = new LambdaClient(CLIENT);
  return {
    loadStack: () => loadStack(cloudFormation, stack),
    loadFunction: async (functionName) => {
      const [alias, versions] = await Promise.all([
        lambda.send(new GetAliasCommand({ FunctionName: functionName, Name: ALIAS })),
        loadVersions(lambda, functionName),
      ]);
      return { live: alias.FunctionVersion ?? '', versions };
    },
    loadDataVersion: (tableName, space) => storedDataVersion(buildTable(dynamoClient(), tableName), space),
    isGoingBack: async () => {
      const { StackEvents: [newest] = [] } = await cloudFormation.send(
        new DescribeStackEventsCommand({ StackName: stack }),
      );
      return newest?.ClientRequestToken?.startsWith(TOKEN_START) === true;
    },
    setParameter: async (name, value) => {
      const { parameters } = await loadStack(cloudFormation, stack);
      const others = [...parameters.keys()].filter((key) => key !== name);
      await cloudFormation.send(
        new UpdateStackCommand({
          StackName: stack,
          ClientRequestToken: `${TOKEN_START}${randomUUID()}`,
          UsePreviousTemplate: true,
          Capabilities: ['CAPABILITY_IAM'],
          Parameters: [
            { ParameterKey: name, ParameterValue: value },
            ...others.map((key) => ({ ParameterKey: key, UsePreviousValue: true })),
          ],
        }),
      );
    },
    cancelUpdate: async () => {
      await cloudFormation.send(new CancelUpdateStackCommand({ StackName: stack }));
    },
  };
};
