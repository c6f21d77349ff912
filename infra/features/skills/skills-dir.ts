/**
 * Looks at SKILLS_DIR each minute. A new or changed skill is offered once, on a card, by the
 * operation of `skill add`; the next follows when that is decided. Nothing comes or goes by itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { SKILLS_DIR_SESSION } from '../../../lib/core/signal/channels.ts';
import { approvals } from '../../../lib/core/wings/approvals/operations.ts';
import { skillAdd, skillList } from '../../../lib/features/skills/operations.ts';
import { versionOf } from '../../../lib/features/skills/skill-files.ts';
import { loadHealth, performChange, performLook, type StackAccess } from '../../cli/client.ts';
import { causeOf, printable } from '../../cli/terminal.ts';
import { CLI_WAIT_S_DEFAULT, waitForTurn } from '../../cli/turn.ts';
import { replaceFile } from '../../local/data-folder.ts';
import { describeAll, type SkillParts, wantedFiles } from './command.ts';
import { readSkillFolder } from './skill-folder.ts';

export interface SkillsDir {
  readonly folder: string;
  /** Keeps over starts what was offered. */
  readonly offersFile: string;
  readonly access: StackAccess;
  /** Tells the person at the terminal. */
  readonly say: (line: string) => void;
}

/** By name of the skill: the version that was offered or is in force, and the signal that asked. */
const Offers = z.record(z.string(), z.object({ version: z.string(), signalId: z.optional(z.string()) }));

const readOffers = (file: string): z.infer<typeof Offers> => {
  try {
    return Offers.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Without the file everything that is not in force is offered again.
    return {};
  }
};

/** @returns how the offer ended, if no card waits */
const offer = async (access: StackAccess, parts: SkillParts, say: (line: string) => void) => {
  const deps = { access, now: Date.now, sleep: (ms: number) => sleep(ms) };
  const context = {
    ...deps,
    access: async () => access,
    text: () => SKILLS_DIR_SESSION,
    terminal: { remark: say, progress: () => {} },
  };
  const args = { files: (await wantedFiles(context, parts)).map((file) => ({ ...file })), trust: 'outside' };
  const { id } = await performChange(access, skillAdd, args, SKILLS_DIR_SESSION);
  const { view } = await waitForTurn(deps, id, CLI_WAIT_S_DEFAULT * 1000);
  return { signalId: id, problem: view.turn === 'ended' ? printable(view.replies.join(' ')) : undefined };
};

/** @returns the look; it throws what the stack or the folder answers */
export const buildSkillsLook = ({ folder, offersFile, access, say }: SkillsDir): (() => Promise<void>) => {
  const said = new Set<string>();
  const sayOnce = (line: string): void => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
  return async () => {
    const offers = readOffers(offersFile);
    const names = readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() && !one.name.startsWith('.') ? [one.name] : [],
    );
    if ((await loadHealth(access)).checks?.isStopped === true) return;
    const listed = (await performLook(access, skillList, {})).skills;
    const inForce = new Map(listed.map(({ name, version }) => [name, version]));
    const waiting = new Set((await performLook(access, approvals, {})).approvals.map(({ signalId }) => signalId));
    let mayOffer = !Object.values(offers).some(({ signalId = '' }) => waiting.has(signalId));
    // One that does not load is there all the same.
    const there = new Set(names);
    for (const directory of names.toSorted()) {
      const path = printable(join(folder, directory));
      const { problems, parsed, ...parts } = await readSkillFolder(folder, directory);
      if (problems.length > 0 || parsed.kind !== 'skill') {
        sayOnce(`SKILLS_DIR: what is in ${path} is no skill that loads: npx passepartout skill test ${path}`);
        continue;
      }
      const { name } = parsed.definition;
      const version = versionOf(describeAll(parts));
      there.add(name);
      if (inForce.get(name) === version) offers[name] = { version };
      if (offers[name]?.version === version || !mayOffer) continue;
      mayOffer = false;
      const { signalId, problem } = await offer(access, parts, say);
      offers[name] = { version, signalId };
      say(
        problem === undefined
          ? `SKILLS_DIR: the skill ${name} of ${path} waits for your yes: npx passepartout approvals`
          : `SKILLS_DIR: the skill ${name} was not offered (${problem}); npx passepartout skill add ${path} tries again`,
      );
    }
    for (const name of Object.keys(offers))
      if (!there.has(name) && inForce.has(name))
        sayOnce(
          `SKILLS_DIR: the skill ${name} is gone from it, and stays in force: npx passepartout skill remove ${name}`,
        );
    replaceFile(offersFile, JSON.stringify(offers));
  };
};

/** Looks now and each minute. @returns what ends it */
export const startSkillsDir = (input: SkillsDir): (() => void) => {
  const look = buildSkillsLook(input);
  let problem = '';
  let isLooking = false;
  const tick = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
      problem = '';
    } catch (error) {
      const cause = causeOf(error);
      if (cause !== problem) input.say(`SKILLS_DIR: ${cause}`);
      problem = cause;
    } finally {
      isLooking = false;
    }
  };
  void tick();
  const timer = setInterval(() => void tick(), MINUTE_MS);
  return () => clearInterval(timer);
};
