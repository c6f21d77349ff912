/**
 * The control function's routes: those the page and the command line send there, and nothing else
 * of the console.
 */
import { describe, expect, it } from 'vitest';
import { performDirect } from '../../../../infra/cli/client.ts';
import { loadDeployedStack } from '../../../../infra/cli/stack.ts';
import { FUNCTIONS } from '../../../../infra/functions.ts';
import { findRoute } from '../../../../infra/local/http-front.ts';
import { stop } from '../../../../lib/core/edge/console/console-verbs.ts';
import { answerControl, CONTROL_ROUTES } from '../../../../lib/core/edge/console/control.ts';
import { CONTROL_PATH } from '../../../../lib/core/http/function-url.ts';
import { APPROVER_TOKEN, serveControl, startConsole } from './console-server.ts';

const routes = [...FUNCTIONS.console.trigger.routes, ...FUNCTIONS.control.trigger.routes].map((prefix) => ({
  prefix,
  isPublic: false,
  invoke: () => Promise.resolve(undefined),
}));
const isOfControl = (path: string): boolean =>
  FUNCTIONS.control.trigger.routes.some((prefix) => prefix === findRoute(routes, path)?.prefix);

describe('answerControl', () => {
  it.each([
    ['/api/stop', true],
    ['/api/resume', true],
    [`/api/approvals/${'a'.repeat(32)}`, true],
    ['/api/approvals', false],
    ['/api/stopped', false],
    ['/api/messages', false],
    ['/api/signals/con-1/stream', false],
    ['/health', false],
    ['/', false],
  ])('answers %s: %s, as the stack routes it and its clients send it', async (path, isControl) => {
    const world = await startConsole();
    const headers = { authorization: `Bearer ${APPROVER_TOKEN}` };
    const event = { rawPath: path, headers, body: '{}', requestContext: { http: { method: 'POST' } } };
    const { body, statusCode } = await answerControl(world.deps, event);
    const isNothing = statusCode === 404 && body.includes('nothing at this path');
    expect([!isNothing, CONTROL_PATH.test(path), isOfControl(path)]).toStrictEqual(Array(3).fill(isControl));
    await world.stop();
  });

  it('answers nothing that is read or held', () => {
    expect(CONTROL_ROUTES.map(({ method }) => method)).toStrictEqual(['POST', 'POST', 'POST']);
  });
});

describe('the command line', () => {
  it('posts a stop of a deployed stack to the address of control, which the outputs name', async () => {
    const world = await startConsole();
    const { url, server } = await serveControl(world.deps);
    // Nobody answers at the console's address.
    const outputs = new Map([
      ['ConsoleUrl', 'http://127.0.0.1:9/'],
      ['ControlUrl', `${url}/`],
    ]);
    const access = await loadDeployedStack('home', {
      loadSecret: async () => JSON.stringify({ APPROVER_TOKEN }),
      loadOutputs: async () => outputs,
    });
    expect((await performDirect(access, stop, {})).id).toMatch(/^con-/);
    server.closeAllConnections();
    server.close();
    await world.stop();
  });
});
