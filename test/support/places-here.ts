/**
 * The functions of a stack in the test's own process: their handlers, wired by themselves over the
 * template's variables, with the code that is loaded already. Neither threads nor bundles are made,
 * so a stack starts in a tenth of a second and its first turn is as fast as the next ones. Not for
 * tests of crashes, endless loops, memory and what a bundle holds.
 */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { ROOT } from '../../infra/bundling.ts';
import type { FunctionHost } from '../../infra/local/environment.ts';
import type { Places } from '../../infra/local/function-pools.ts';
import { buildHost, type FunctionInput, runningFunction, standBetween } from '../../infra/local/run-functions.ts';
import { type AnswerWire, clientOver, closedError, type WireServers } from '../../infra/local/wire.ts';
import { once } from '../../lib/core/base/once.ts';
import { buildDirectSend, type CallServer, type Client } from './direct-client.ts';

const wires = new WeakMap<FunctionInput, WireServers>();

/** By the request handler of a client, its server. */
const servers = new WeakMap<object, CallServer>();
const directSends = new WeakMap<object, ReturnType<typeof buildDirectSend>>();

const SERVICES = { dynamodb: 'DynamoDB_20120810', sqs: 'AmazonSQS' } as const;

/** Clients over the servers of a stack send directly; all others as ever. */
const sendDirectly = (prototype: { send: (this: Client, command: never) => unknown }): void => {
  const { send } = prototype;
  prototype.send = function (command, ...rest: never[]) {
    const call = servers.get(this.config.requestHandler);
    if (call === undefined) return Reflect.apply(send, this, [command, ...rest]);
    const direct = directSends.get(this) ?? buildDirectSend(this, call);
    directSends.set(this, direct);
    return direct(command);
  };
};

const prepare = once(() => {
  standBetween(process.env);
  globalThis.passepartoutWire = (service) => {
    const running = runningFunction();
    const answer = running && wires.get(running)?.[service];
    if (running === undefined || answer === undefined) return {};
    // A closed server is a lost connection, as over a socket.
    const ask: AnswerWire = (...given) =>
      answer(...given).catch((cause) => Promise.reject(Object.assign(closedError(), { cause })));
    const client = clientOver(ask);
    servers.set(Object(client.requestHandler), async (action, body) => {
      const request = `${running.functionName}: ${action} ${body}`;
      underWay.get(running)?.add(request);
      try {
        return await ask(`${SERVICES[service]}.${action}`, body);
      } finally {
        underWay.get(running)?.delete(request);
      }
    });
    return client;
  };
  for (const { prototype } of [DynamoDBClient, SQSClient]) sendDirectly(prototype as never);
});

let places = 0;

/** Requests of a function that have no answer yet. */
const underWay = new WeakMap<FunctionInput, Set<string>>();

/** A look at live settings holds nobody up, and changes nothing. */
const LOOK = /GetItem.*"setting#/;

/** What functions did not wait for before they answered: Lambda would stop them there. */
export const leftBehind: string[] = [];

/** Path of a function in a root of a test's own, which Node runs as it stands. */
export const handlerOf = (name: string): string => `functions/${name}/handler.mjs`;

/** @param root folder of other functions than the repository's */
export const placesHere = (root?: string): Places => ({
  open: (plan, servers) => {
    prepare();
    places += 1;
    const events = new EventEmitter();
    // One that has ended neither answers nor writes any more.
    let isAlive = true;
    const left = new Set<string>();
    let running = 0;
    const receive = buildHost((message) => {
      if (message.type === 'begun') running += 1;
      if (message.type === 'result' || message.type === 'failed') running -= 1;
      // A message that comes again is worked on again.
      const isWell = message.type === 'result' && !JSON.stringify(message.result).includes('itemIdentifier');
      if (isAlive && isWell && running === 0) leftBehind.push(...[...left].filter((request) => !LOOK.test(request)));
      if (isAlive) events.emit('message', message);
    });
    const place: FunctionHost = {
      isAlive: () => isAlive,
      listen: ({ message }) => {
        events.on('message', message);
        return () => void events.off('message', message);
      },
      postMessage: (message) => {
        if (message.type === 'load') {
          wires.set(message, servers);
          underWay.set(message, left);
        }
        setImmediate(receive, message);
      },
      terminate: async () => {
        isAlive = false;
      },
    };
    // Each stack has handlers of its own, and shares all other modules.
    const file = root === undefined ? join(ROOT, plan.entry) : join(root, handlerOf(plan.name));
    return { place, moduleUrl: `${pathToFileURL(file).href}?place=${places}` };
  },
});
