/**
 * A witness of the log, as its own program works. In trouble it answers nothing of use, before or
 * after it noted what it saw. In quiet times too it gives a cosignature of other bytes now and
 * then.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../infra/bundling.ts';
import { openWitness } from '../../../infra/features/witnesses/witness.ts';
import { renderWitnessKey } from '../../../lib/core/evidence/cosignature.ts';
import { buildLogSigners } from '../../../lib/core/log/log-keys.ts';
import type { Random } from '../types.ts';
import { CONFIG } from './config.ts';
import type { Server } from './outside.ts';

const FOLDER = join(ROOT, `node_modules/.cache/simulate/witness-${process.pid}`);

/** A fresh one, with the same key in each run. */
const open = (now: () => number) => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'witness.key'), Buffer.alloc(32, 7).toString('base64'));
  const { current } = buildLogSigners(CONFIG.environment.SPACE ?? '', new Map(Object.entries(CONFIG.secrets)));
  return openWitness(FOLDER, 'witness.simulated', [current.verifier], now);
};

/** WITNESSES of a stack that has one. */
export const witnessSetting = (): string => {
  const key = renderWitnessKey(open(() => 0).key);
  return JSON.stringify({ [key]: 'http://witness.test' });
};

const FORGED_PROBABILITY = 0.25;

export const buildWitness = (now: () => number, random: Random): Server => {
  let witness: ReturnType<typeof open> | undefined;
  return {
    name: 'witness',
    takesMs: [5, 400],
    take: ({ body: asked }, fails) => {
      const isEarly = fails && random.chance(0.5);
      if (isEarly) return { answer: { status: 503, headers: {}, body: '' }, isPerformed: false };
      witness ??= open(now);
      const { status, body } = witness.addCheckpoint(asked);
      if (fails) return { answer: { status: 500, headers: {}, body: '' }, isPerformed: false };
      const isForged = status === 200 && random.chance(FORGED_PROBABILITY);
      const given = isForged ? body.replace(/.{10}==\n$/, 'AAAAAAAAAA==\n') : body;
      return { answer: { status, headers: {}, body: given }, isPerformed: status === 200 && !isForged };
    },
  };
};
