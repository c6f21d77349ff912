/**
 * A witness of the evidence log, as its page says: started with the log's key, set by the line that
 * it prints, demanded when an export is verified. It refuses an older copy of the log, and that is
 * told.
 */
import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/stack.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

let home: Home;
let stack: Program;
let logKey = '';
/** The key that others verify with, from the line that the witness printed. */
let witnessKey = '';
const remember = (what: string) => home.paste(`npx passepartout send "remember that ${what}"`);
const data = (name: string): string => join(home.folder, name);

/** Starts a witness of the log. @returns its key, and the line it prints for the log's owner */
const openWitness = async (more = '') => {
  const witness = home.open(`npx passepartout witness --log ${logKey} --port 0 ${more}`);
  const [line = ''] = /WITNESSES='.*'/.exec(await witness.prints('WITNESSES=')) ?? [];
  return { line, key: /"(\S+?)":/.exec(line)?.[1] ?? '' };
};

/** @returns the leaves of the newest anchor if it carries a cosignature, otherwise 0 */
const cosignedLeaves = (): number => {
  const anchor = readFileSync(data('.passepartout/anchors/default.txt'), 'utf8');
  return anchor.includes(`\u2014 ${witnessKey.split('+')[0]} `) ? Number(anchor.split('\n')[1]) : 0;
};

beforeAll(async () => {
  home = await openHome();
  // The log is written at each heartbeat.
  home.set({ HEARTBEAT_INTERVAL_SECONDS: '1' });
  stack = await home.start();
  await remember('my bike is blue');
});
afterAll(() => home.close());

describe('a witness', () => {
  it('cosigns what the log holds, once its printed line is set', async () => {
    logKey = await until('the log has its key', async () => {
      const { code, out } = await home.run('npx passepartout evidence key');
      return code === 0 && out.trim();
    });
    const { key, line } = await openWitness();
    witnessKey = key;
    await stack.end();
    appendFileSync(data('.env'), `${line}\n`);
    stack = await home.start();
    await remember('my lock is new');
    await until('the checkpoint is cosigned', () => cosignedLeaves() > 0);
    expect(await home.paste('npx passepartout doctor')).not.toContain('the witness');
  });

  it('is demanded by whoever verifies', async () => {
    await home.paste('npx passepartout evidence export --out e.jsonl');
    const anchored = 'npx passepartout verify e.jsonl --anchor .passepartout/anchors/default.txt';
    expect(await home.paste(`${anchored} --key "${logKey}" --witness "${witnessKey}"`)).toContain(
      'cosigned by witness/',
    );
    const other = await openWitness('--folder other --name witness/elsewhere');
    const { code, out } = await home.run(`${anchored} --key "${logKey}" --witness "${other.key}"`);
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('0 of the') });
  });

  it('refuses an older copy of the log, and the doctor names it', async () => {
    await stack.end();
    cpSync(data('.passepartout'), data('copy'), { recursive: true });
    const copied = cosignedLeaves();
    stack = await home.start();
    await remember('my car is red');
    await until('the witness has seen more', () => cosignedLeaves() > copied);
    await stack.end();
    rmSync(data('.passepartout'), { recursive: true });
    cpSync(data('copy'), data('.passepartout'), { recursive: true });
    stack = await home.start();
    await remember('my boat is green');
    await until('the doctor tells of it', async () =>
      // The copy may since have grown past what the witness has seen.
      /the witness \S+ refuses: (it has seen \d+ leaves of|this log of \d+ leaves does not continue)/.test(
        (await home.run('npx passepartout doctor')).out,
      ),
    );
  });
});
