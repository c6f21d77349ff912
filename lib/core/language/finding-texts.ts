/**
 * The sentence of each finding: what is wrong with the stack, and what mends it. None quotes a
 * secret or a message. Loaded by who says one. Pure.
 */
import type { ProviderFault } from '../base/errors.ts';
import { textTable } from '../base/language.ts';
import { countWords } from '../text/quoted.ts';
import { FAULTS } from './fault-texts.ts';
import type { FindingTexts } from './finding.ts';
import { type MachineState, machineWords } from './machine-texts.ts';

export const PAGE = 'infra/troubleshooting.md#the-model';
export const SET_UP = 'npx passepartout setup --only model, then start again';

/** A channel for which texts wait, by its name for people and its id. */
interface WaitedFor {
  readonly name: string;
  readonly id: string;
  /** The setting that holds its token. */
  readonly token: string;
}

/** The person's part. @param place where the key stands @param mend changes the set-up */
export const CURES: Readonly<Record<ProviderFault, (place: string, mend: string) => string>> = {
  busy: () => `wait, or let it raise the limit of this key (${PAGE})`,
  down: () => `it is tried again by itself; see to its address and the network (${PAGE})`,
  slow: (_, mend) => `it is tried again by itself; a smaller model answers sooner (${mend})`,
  server: () => `it is tried again by itself; its own status page says more (${PAGE})`,
  auth: (place, mend) => `put a valid one in ${place} (${mend})`,
  denied: (_, mend) => `let it permit the model to your account, project and region, or choose another model (${mend})`,
  billing: () => `add credit to its account (${PAGE})`,
  model: (_, mend) => `choose one that it has, or mend the address (${mend})`,
  tools: (_, mend) => `choose a model that takes tools (${mend}), or say "tools": false of it in PROVIDERS`,
  overflow: (_, mend) => `choose a model with a larger context window (${mend})`,
  policy: (_, mend) => `ask in other words, or choose another model (${mend})`,
  request: (_, mend) => `choose another model or address (${mend})`,
  answer: (_, mend) => `mend the address, which often ends in /v1 (${mend})`,
  empty: (_, mend) => `ask again, or choose another model (${mend})`,
  unasked: () => 'send it again',
  unknown: () => `send it again; the log may say more (${PAGE})`,
};

const EVIDENCE = 'infra/troubleshooting.md#evidence-and-backups';
const waitsFor = (count: number, noun: string): string =>
  `${countWords(count, noun)} ${count === 1 ? 'waits' : 'wait'}`;
const textsWait = (count: number, hasMore: boolean): string =>
  hasMore ? `${count} or more texts wait` : waitsFor(count, 'text');

const EN = {
  stopped: () => 'stopped: nothing is done until an approver resumes it: /resume',
  noHeartbeat: () => 'there has been no heartbeat yet (infra/troubleshooting.md#no-answer)',
  heartbeat: (seconds: number) =>
    `the last heartbeat was ${seconds} seconds ago: if it stays away, "npm start" or "npm run deploy" again`,
  noTable: () => 'the table is not reachable (infra/troubleshooting.md#no-answer)',
  dead: (count: number) =>
    `${count} of the newest signals could not be handled in the last hour (npx passepartout signals --state dead-lettered)`,
  stuck: (count: number, minutes: number, oldest: string) =>
    `${countWords(count, 'signal')} still under way, the oldest for ${countWords(minutes, 'minute')}: /why ${oldest}`,
  log: (problem: string) => `the evidence log stands still: ${problem} (${EVIDENCE})`,
  anchor: () =>
    `the newest checkpoint is not anchored: its folder or bucket does not take it: ANCHOR_DIR, ANCHOR_BUCKET (${EVIDENCE})`,
  witness: (problem: string) => `the witness ${problem} (${EVIDENCE})`,
  traces: (isRefused: boolean, status: number) =>
    `the collector of traces ${status === 0 ? 'does not answer' : `answers ${status}`}: ${isRefused ? 'what it refuses is lost' : 'they wait a week'} (lib/features/traces/README.md)`,
  backup: (days: number) => `the newest backup is ${days} days old: npx passepartout backup <file>`,
  noModel: () => 'no language model is configured: npx passepartout setup --only model, then start again',
  modelsAway: (isReached: boolean, since: string, waiting: number) =>
    `no language model has ${isReached ? 'answered' : 'been reachable'} since ${since}; ${waitsFor(waiting, 'conversation')} (${PAGE})`,
  modelProvider: (
    fault: ProviderFault,
    name: string,
    model: string | undefined,
    askedAt: string | undefined,
    place: string,
    mend: string | undefined,
  ) =>
    `the model provider ${model === undefined ? name : `${name} (${model})`} ${FAULTS[fault]}${askedAt === undefined ? '' : ` (asked at ${askedAt})`}: ${CURES[fault](place, mend ?? SET_UP)}`,
  channelRefused: ({ name, id, token }: WaitedFor, since: string, count: number, hasMore: boolean) =>
    `${name} refuses the token in ${token} since ${since}: ${textsWait(count, hasMore)} for a valid one (npx passepartout setup --only ${id})`,
  channelAway: ({ name, id }: WaitedFor, since: string, count: number, hasMore: boolean) =>
    `${name} takes no messages since ${since}: ${textsWait(count, hasMore)} and will be sent (infra/troubleshooting.md#${id})`,
  embeddings: () =>
    'the embeddings endpoint refuses its key: npx passepartout setup --only keys (infra/operating.md#rotate-a-secret)',
  budgetSpent: () => "today's budget is used up: /budget shows the caps",
  budgetNear: (percent: number) => `${percent} % of today's budget is used: /budget shows the caps`,
  jobsWait: (count: number, hasMore: boolean, since: string) =>
    `moments of ${hasMore ? 'at least ' : ''}${countWords(count, 'job')} wait, the oldest since ${since}: the next heartbeats take them (/jobs list)`,
  /** @param why a stored sentence */
  jobPaused: (job: string, why: string) => `the job ${job} is ${why}: /jobs history ${job}, then /jobs resume ${job}`,
  jobMissed: (job: string, moment: string) =>
    `the job ${job} missed its moment of ${moment}: /jobs run ${job} runs it now`,
  skill: (skill: string, failures: number, turns: number) =>
    `the skill ${skill} failed ${failures} times in ${turns} turns: /skill show ${skill}, or /skill remove ${skill}`,
  mcp: (server: string, count: number) =>
    `the MCP server ${server} changed ${countWords(count, 'accepted tool')}, off until it is accepted again: /mcp list`,
  machine: (name: string, state: MachineState, calls: number, mend: string) =>
    `the machine ${name}: ${machineWords(state)} (${countWords(calls, 'call')} for it): ${mend}`,
  machineRelease: (name: string, release: string, stack: string) =>
    `the machine ${name} runs release ${release}, the stack ${stack}: bring it to the same, then npx passepartout runner start ${name}`,
  source: (source: string, count: number) =>
    `${count} events of the webhook source ${source} were refused today, over its quota: let it send fewer (${PAGE})`,
};

export type English = typeof EN;

export const findingTexts = textTable<FindingTexts>(EN, {
  de: async () => (await import('./finding-texts-german.ts')).DE,
});
