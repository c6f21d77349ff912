/**
 * README's first minute: a start without any key, the five things to say in the chat that opens,
 * and the commands of the second terminal, as they are written there. The page shows the same.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Home, openHome, type Program } from './support/home.ts';

/** Longer than the chat takes to look twice for what others say: what comes doubled is here. */
const FOLLOW_MS = 12_000;

let home: Home;
let chat: Program;
let browser: Browser;

beforeAll(async () => {
  home = await openHome();
  chat = home.open('npm start', true);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await home.close();
});

/** Says it once the chat is quiet; gives what was printed since. */
const say = async (words: string, answer: RegExp): Promise<string> => {
  const before = chat.output().length;
  chat.type(words);
  await expect.poll(() => chat.output().slice(before)).toMatch(answer);
  return chat.output().slice(before);
};

describe('the first minute of README', () => {
  it('starts without a key, says where it is and that a script answers', async () => {
    const output = await chat.prints('Type a message');
    expect(output).toMatch(/telegram {2}off \(set TELEGRAM_BOT_TOKEN\)/);
    expect(output).toMatch(/model {5}the demo model, a script; set OPENAI_API_KEY/);
    expect(output).not.toMatch(/^ +at |Error/m);
  });

  it('answers the five things to say as the table says', async () => {
    await say('remember that my bike is blue', /\[demo model\] Noted/);
    await say('what do you remember about my bike?', /found in memory:[\s\S]*my bike is blue/);
    expect(await say('call the webhook deploy', /\[y\]es, \[n\]o/)).toMatch(/Call the webhook deploy/);
    await say('every 10 minutes say drink water', /Every 10 minutes: [\s\S]*\[y\]es, \[n\]o/);
    await say('leak the key', /refused|blocked/i);
    expect(await say('/why', /Attempt 3: rejected/)).toContain('Attempt 2: rejected');
    expect(chat.output()).not.toContain('demo webhook "deploy" was called');
  });

  it('lists what waits, performs what is approved, and says why, in a second terminal', async () => {
    const approvals = JSON.parse(await home.paste('npx passepartout approvals --json')).approvals;
    const waiting = await home.paste('npx passepartout approvals');
    expect(waiting).toMatch(/deploy/);
    expect(waiting).toMatch(/drink[ -]water/);
    const { id } = approvals.find((one: object) => JSON.stringify(one).includes('"webhook":"deploy"'));
    await home.paste(`npx passepartout approve ${id}`);
    // A line of the stack leaves the prompt as it was.
    await chat.prints(/demo webhook "deploy" was called .*\r?\n.*> /);
    expect(await home.paste('npx passepartout send "run ls -l"')).toContain('npx passepartout runners pair home');
    const signals = await home.paste('npx passepartout signals');
    expect(signals).toContain('call the webhook deploy');
    const listed = JSON.parse(await home.paste('npx passepartout signals --json')).signals;
    const { id: asked } = listed.find((one: object) => JSON.stringify(one).includes('call the webhook deploy'));
    const why = await home.paste(`npx passepartout why ${asked}`);
    expect(why).toMatch(/approv/i);
    expect(why).toContain('Attempt 1 by demo/model');
    expect(await home.paste('npx passepartout doctor')).toMatch(/ok +model +demo: reachable$/m);
    expect(why).toMatch(/deploy/);
    const drink = approvals.find((one: object) => JSON.stringify(one).includes('drink-water'));
    await home.paste(`npx passepartout approve ${drink.id}`);
    await home.paste('npx passepartout jobs run drink-water');
    await chat.prints(/^(.*> )?drink water\r?$/m);
    const inputs = '--input service=shop --input version=1.2 --input hook=deploy';
    const run = await home.paste(`npx passepartout runbook run deploy-gate ${inputs}`, 'y\n');
    expect(run).toMatch(/waits for your yes/);
    const [question = ''] =
      /[0-9a-f]{6}(?= {2}A runbook asks: “Deploy version 1\.2 of shop\?)/.exec(
        await chat.prints(/A runbook asks: “Deploy version 1\.2 of shop\?/),
      ) ?? [];
    await say(`/deny ${question}`, /Denied/);
    await chat.prints(/The runbook deploy-gate (failed|did not)/);
  });

  it('says each line of a run once', async () => {
    const steps = ['first', 'second', 'third'].map((n) => `  - id: ${n}\n    text: The ${n} line.\n`).join('');
    writeFileSync(join(home.folder, 'lines.yaml'), `name: lines\ndescription: Three lines.\nsteps:\n${steps}`);
    await home.paste('npx passepartout runbook run lines.yaml', 'y\n');
    await chat.prints(/lines is done/);
    await delay(FOLLOW_MS);
    expect(chat.output().match(/The (first|second|third) line\.|lines is done/g)).toHaveLength(4);
  });

  it('shows on the page what was said and answered', async () => {
    const [, address = ''] = /console +(http:\S+#token=\S+)/.exec(chat.output()) ?? [];
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByText('what do you remember about my bike?').first().waitFor();
    await page.getByText('leak the key').first().waitFor();
    await page.locator('#turns').getByText('drink water', { exact: true }).first().waitFor();
    await page.locator('#turns').getByText('The third line.').first().waitFor();
    expect(await page.locator('#turns').getByText('The third line.').count()).toBe(1);
    await page.locator('#turns').getByText('Asks for your yes: Call the webhook deploy').first().waitFor();
    // A run's step is no words of the person.
    expect(await page.locator('#turns .mine').getByText('step 1 of run-').count()).toBe(0);
    await page.close();
  });

  it('tells in the chat of a stop and a resume in another terminal', async () => {
    await home.paste('npx passepartout stop');
    await chat.prints('Stopped by a request: nothing is done until /resume.');
    await home.paste('npx passepartout resume');
    await chat.prints('A request asks to resume.');
  });

  it('ends with /exit', async () => {
    const ended = once(chat.child, 'close');
    chat.type('/exit');
    expect(await ended).toStrictEqual([0, null]);
  });
});
