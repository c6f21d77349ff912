/** Outputs of a deployed stack by name. Only the command line uses it. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** @throws the client's own errors: no credentials, no such stack */
export const loadStackOutputs = async (stack: string): Promise<ReadonlyMap<string, string>> => {
  const answer = await new CloudFormationClient({ maxAttempts: 3 }).send(
    new DescribeStacksCommand({ StackName: stack }),
  );
  const outputs = answer.Stacks?.[0]?.Outputs ?? [];
  return new Map(
    outputs.flatMap(({ OutputKey: key, OutputValue: value }) =>
      key === undefined || value === undefined ? [] : [[key, value] as const],
    ),
  );
};
