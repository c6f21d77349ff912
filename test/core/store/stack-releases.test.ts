/** The requests of `go-back`, answered by a server in the words of CloudFormation and Lambda. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStackReleases } from '../../../lib/core/store/stack-releases.ts';

interface Call {
  readonly path: string;
  readonly form: Record<string, string>;
}

const calls: Call[] = [];
let newestToken = '';

const answerTo = (action: string): string => {
  const member = (name: string, parts: Record<string, string>) =>
    `<member><${name}Key>${parts.key}</${name}Key><${name}Value>${parts.value}</${name}Value></member>`;
  const results: Record<string, string> = {
    DescribeStacks: `<Stacks><member><StackName>Home</StackName><StackStatus>UPDATE_COMPLETE</StackStatus>
      <Outputs>${member('Output', { key: 'Space', value: 'default' })}</Outputs>
      <Parameters>${member('Parameter', { key: 'BootstrapVersion', value: '/cdk' })}${member('Parameter', { key: 'Back01', value: '0,0' })}</Parameters>
      </member></Stacks>`,
    DescribeStackEvents: `<StackEvents><member><EventId>e</EventId><StackId>s</StackId><StackName>Home</StackName>
      <ClientRequestToken>${newestToken}</ClientRequestToken></member></StackEvents>`,
    UpdateStack: '<StackId>s</StackId>',
    CancelUpdateStack: '',
  };
  const space = 'xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"';
  return `<${action}Response ${space}><${action}Result>${results[action]}</${action}Result></${action}Response>`;
};

/** Versions come in pages, with the unpublished one first. */
const lambdaAnswer = (path: string): object => {
  if (path.includes('/aliases/')) return { Name: 'live', FunctionVersion: '9' };
  if (path.includes('Marker=')) return { Versions: [{ Version: '10', Description: 'c', LastModified: 't10' }] };
  const versions = ['$LATEST', '2', '9'].map((Version) => ({ Version, Description: 'd', LastModified: `t${Version}` }));
  return { Versions: versions, NextMarker: 'more' };
};

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const form = Object.fromEntries(new URLSearchParams(body));
    const path = request.url ?? '';
    calls.push({ path, form });
    const isLambda = path !== '/';
    response.setHeader('content-type', isLambda ? 'application/json' : 'text/xml');
    response.end(isLambda ? JSON.stringify(lambdaAnswer(path)) : answerTo(form.Action ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

describe('openStackReleases', () => {
  it('reads the state, outputs and parameters of the stack', async () => {
    expect(await openStackReleases('Home').loadStack()).toStrictEqual({
      status: 'UPDATE_COMPLETE',
      reason: '',
      outputs: new Map([['Space', 'default']]),
      parameters: new Map([
        ['BootstrapVersion', '/cdk'],
        ['Back01', '0,0'],
      ]),
    });
  });

  it('reads all published versions of a function, and the one in use', async () => {
    expect(await openStackReleases('Home').loadFunction('F')).toStrictEqual({
      live: '9',
      versions: [
        { version: '2', description: 'd', publishedAt: 't2' },
        { version: '9', description: 'd', publishedAt: 't9' },
        { version: '10', description: 'c', publishedAt: 't10' },
      ],
    });
  });

  it('changes one parameter, keeps the template and every other parameter, and is known by its token', async () => {
    const releases = openStackReleases('Home');
    await releases.setParameter('Back01', '9,8');
    const form = calls.at(-1)?.form;
    expect(form).toMatchObject({
      Action: 'UpdateStack',
      StackName: 'Home',
      UsePreviousTemplate: 'true',
      'Capabilities.member.1': 'CAPABILITY_IAM',
      'Parameters.member.1.ParameterKey': 'Back01',
      'Parameters.member.1.ParameterValue': '9,8',
      'Parameters.member.2.ParameterKey': 'BootstrapVersion',
      'Parameters.member.2.UsePreviousValue': 'true',
    });
    expect(form).not.toHaveProperty('Parameters.member.3.ParameterKey');
    newestToken = form?.ClientRequestToken ?? '';
    expect(await releases.isGoingBack()).toBe(true);
    newestToken = 'cdk-deploy-1';
    expect(await releases.isGoingBack()).toBe(false);
  });

  it('cancels the update that is running', async () => {
    await openStackReleases('Home').cancelUpdate();
    expect(calls.at(-1)?.form).toMatchObject({ Action: 'CancelUpdateStack', StackName: 'Home' });
  });
});
