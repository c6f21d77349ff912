/**
 * The servers of tools that are at work on this machine: started with the first call, ended when
 * nobody called them for a while, when there are too many, or when folders that they see changed.
 */
import { ProtocolError } from '../../lib/core/base/errors.ts';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { KIB, MINUTE_MS } from '../../lib/core/base/limits.ts';
import { buildNoOffer, buildOffer, type MachineOffer } from '../../lib/features/mcp/offers.ts';
import { callIfOffered, listAll, type McpOutcome, wordsFor } from '../../lib/features/mcp/session.ts';
import type { Order } from '../../lib/features/runner/order.ts';
import type { MachineServer } from './allow-file.ts';
import { isWithin } from './check-folder.ts';
import { type McpPlace, type McpProcess, SERVER_LIFE_MS, startMcpProcess } from './mcp-process.ts';
import type { Stop } from './run-contained.ts';

/** Each takes some hundred MB. */
const SERVERS_AT_ONCE = 4;
const IDLE_MS = 5 * MINUTE_MS;
/** A record of the stack holds all servers of a space. */
const OFFER_CHARS_MAX = 96 * KIB;

export type Expected = NonNullable<Order['expects']>;

interface AtWork {
  readonly process: McpProcess;
  /** The entry of `runner.yaml` and the bounds that it was started with. */
  readonly form: string;
  readonly startedAt: number;
  /** The folders that it sees. */
  readonly folders: readonly string[];
  /** Somebody else changed one of them: a new secret would not be hidden from it. */
  isStale: boolean;
  calls: number;
  usedAt: number;
  idle?: NodeJS.Timeout;
}

export interface McpServers {
  readonly call: (
    server: MachineServer,
    place: McpPlace,
    expects: Expected,
    args: JsonObject,
    timeMs: number,
  ) => { readonly stop: Stop; readonly outcome: Promise<McpOutcome> };
  /** Folders may hold new secrets: servers that see one start anew before their next call. */
  readonly noteChange: (folders: readonly string[]) => void;
  readonly endAll: () => void;
}

/** Starts the server alone. Never throws: one that cannot be listed has a problem. */
export const listServer = async (server: MachineServer, place: McpPlace): Promise<MachineOffer> => {
  try {
    const process = await startMcpProcess(server, place);
    try {
      const timeoutMs = place.allowed.limits.timeMs;
      const session = { client: process.client, signal: AbortSignal.timeout(timeoutMs), timeoutMs };
      const { offered, tools } = await listAll(session, server.name);
      const offer = buildOffer(server.name, offered, tools.length);
      if (JSON.stringify(offer).length <= OFFER_CHARS_MAX) return offer;
      return buildNoOffer(server.name, `the server ${server.name} describes its tools with too many words`);
    } finally {
      process.end();
    }
  } catch (error) {
    const words = error instanceof ProtocolError ? error.message : 'the server did not say which tools it has';
    return buildNoOffer(server.name, words);
  }
};

export const buildMcpServers = (now: () => number = Date.now, idleMs = IDLE_MS): McpServers => {
  const atWork = new Map<string, AtWork>();

  const end = (name: string): void => {
    const one = atWork.get(name);
    atWork.delete(name);
    clearTimeout(one?.idle);
    one?.process.end();
  };

  /** @throws ProtocolError */
  const makeRoom = (): void => {
    if (atWork.size < SERVERS_AT_ONCE) return;
    const [oldest] = [...atWork].filter(([, { calls }]) => calls === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) throw new ProtocolError('too many servers are at work on this machine');
    end(oldest[0]);
  };

  const noteChange = (folders: readonly string[], by?: AtWork): void => {
    for (const one of atWork.values())
      if (
        one !== by &&
        one.folders.some((seen) => folders.some((folder) => isWithin(seen, folder) || isWithin(folder, seen)))
      )
        one.isStale = true;
  };

  const isFit = (one: AtWork, form: string, timeMs: number): boolean =>
    !one.process.isOver() && one.form === form && now() + timeMs < one.startedAt + SERVER_LIFE_MS && !one.isStale;

  /** @throws ProtocolError if it cannot be started */
  const take = async (server: MachineServer, place: McpPlace, timeMs: number): Promise<AtWork> => {
    const form = JSON.stringify([server, place.allowed.limits]);
    const found = atWork.get(server.name);
    if (found !== undefined && (found.calls > 0 || isFit(found, form, timeMs))) {
      found.calls += 1;
      clearTimeout(found.idle);
      found.process.begin();
      return found;
    }
    end(server.name);
    makeRoom();
    const process = await startMcpProcess(server, place);
    const folders = [...server.read, ...server.write];
    const one: AtWork = { process, form, startedAt: now(), folders, isStale: false, calls: 1, usedAt: now() };
    atWork.set(server.name, one);
    return one;
  };

  let taking: Promise<unknown> = Promise.resolve();
  /** One after the other, so that no server is started twice. */
  const begin = (...given: Parameters<typeof take>): Promise<AtWork> => {
    const taken = taking.then(() => take(...given));
    taking = taken.catch(() => {});
    return taken;
  };

  const release = (name: string, one: AtWork): void => {
    one.calls -= 1;
    one.usedAt = now();
    if (one.process.isOver() && atWork.get(name) === one) end(name);
    else if (one.calls === 0) one.idle = setTimeout(() => end(name), idleMs).unref();
  };

  const call: McpServers['call'] = (server, place, expects, args, timeMs) => {
    let stopped: string | undefined;
    let running: AtWork | undefined;
    const stop: Stop = (why) => {
      stopped ??= why;
      running?.process.end();
    };
    const run = async (): Promise<McpOutcome> => {
      running = await begin(server, place, timeMs);
      const { process } = running;
      try {
        if (stopped !== undefined) return { kind: 'failed', why: stopped };
        const signal = AbortSignal.timeout(timeMs);
        const session = { client: process.client, signal, timeoutMs: timeMs };
        const outcome = await callIfOffered(session, server.name, expects, args).catch(
          (error: unknown): McpOutcome => ({ kind: 'failed', why: stopped ?? wordsFor(error, signal) }),
        );
        // It may still be at it: nobody waits for that any more.
        if (outcome.kind !== 'unknown') return outcome;
        process.end();
        return { kind: 'unknown', why: stopped ?? (process.isOver() ? process.why() : outcome.why) };
      } finally {
        noteChange(server.write, running);
        release(server.name, running);
      }
    };
    return { stop, outcome: run() };
  };

  return {
    call,
    noteChange,
    endAll: () => {
      for (const name of [...atWork.keys()]) end(name);
    },
  };
};
