/**
 * The page as a newcomer uses it: `npm start` in a clean folder, the address that it prints, the
 * five things that README says, yes and no by buttons, one decision with its receipt, each command
 * of “Manage” by its form, the costs, and the stop.
 */
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECEIPT_TYPE } from '../../lib/core/evidence/verifier/verify-receipt.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Home, openHome, type Program } from './support/home.ts';

let home: Home;
let program: Program;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  home = await openHome();
  program = home.open('npm start', true);
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
});
afterAll(async () => {
  await browser.close();
  await home.close();
});

const say = async (words: string, answer: string): Promise<void> => {
  await page.getByLabel('Message').fill(words);
  await page.getByRole('button', { name: 'Send' }).click();
  const turn = page.locator('.turn', { hasText: words });
  await turn
    .getByText(answer)
    .first()
    .waitFor()
    .catch(async (error) => {
      const shown = await page.locator('.turn, .problem:visible').allInnerTexts();
      throw new Error(`"${words}" is not answered with "${answer}"; the page shows ${shown.join(' | ')}`, {
        cause: error,
      });
    });
};
const view = (name: string) => page.getByRole('link', { name, exact: true }).click();
const card = (words: string) => page.locator('#approvals > li', { hasText: words });

/** Presses a button, and waits until it has done what it says without a problem. */
const tap = async (within: Locator, name: string): Promise<void> => {
  await within.getByRole('button', { name }).click();
  await page.waitForTimeout(200);
  expect(await page.locator('.problem:visible').allTextContents()).toStrictEqual([]);
};

/** Opens the form of a command. */
const openForm = async (words: string) => {
  const verb = page.locator('#verbs .verb', { has: page.getByText(words, { exact: true }) });
  if ((await verb.getAttribute('open')) === null) await verb.locator('summary').click();
  await verb.locator('form, p').first().waitFor();
  return verb;
};

describe('the page', () => {
  it('opens by the address that the start prints, and answers the five things to say', async () => {
    await program.prints('Type a message');
    const [, address = ''] = /console +(http:\S+#token=\S+)/.exec(program.output()) ?? [];
    await page.goto(address);
    await say('remember that my bike is blue', 'Noted');
    await say('what do you remember about my bike?', 'my bike is blue');
    await say('call the webhook deploy', 'Asks for your yes: Call the webhook deploy');
    await say('every 10 minutes say drink water', 'Asks for your yes: Every 10 minutes');
    await say('leak the key', 'refused by the rules');
  });

  it('performs what is approved, and not what is denied', async () => {
    await card('drink water').getByText('Details').click();
    await card('drink water').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.locator('#running a', { hasText: 'drink-water' }).waitFor();
    await card('Call the webhook').getByRole('button', { name: 'Deny' }).click();
    await page.locator('#approvals-card').waitFor({ state: 'detached' });
    expect(program.output()).not.toContain('demo webhook "deploy" was called');
  });

  it('shows why, how long it took, what differs, and saves the proof', async () => {
    await view('Decisions');
    await page.locator('.decisions a', { hasText: 'leak the key' }).click();
    await page.locator('#why', { hasText: 'Nothing was done: the rules refused' }).waitFor();
    await page.locator('#time tr', { hasText: 'attempt 3 (demo model)' }).waitFor();
    const [other = ''] = await page.locator('#other option', { hasText: 'drink water' }).allInnerTexts();
    await page.getByLabel('The other one').selectOption(other);
    await page.locator('#in-words li', { hasText: 'It ended as “refused” here' }).waitFor();
    await page.locator('#compare summary').click();
    await page.locator('.differences tr', { hasText: 'outcome' }).getByText('refuse').waitFor();
    await tap(page.locator('#again'), 'Replay');
    await page.locator('#again').getByText('came out the same to the last byte').waitFor();
    await page.getByLabel('A policy').fill('forbid(principal, action, resource);');
    await tap(page.locator('#again'), 'What would flip');
    await page
      .locator('#again')
      .getByText(/^\d+ actions? of the model tried: /)
      .waitFor();
    // An export waits until the log holds everything.
    await home.paste('npx passepartout evidence export --out all.jsonl');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Receipt' }).first().click();
    const receipt = await (await saved).path();
    expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({ type: RECEIPT_TYPE });
    const verified = await home.paste(`npx passepartout verify ${receipt} --key $(npx passepartout evidence key)`);
    expect(verified).toMatch(/^verified\n/);
  });

  it('makes a job by its form, with a yes', async () => {
    await view('Jobs');
    const form = page.locator('#make-job');
    await form.getByLabel('Its name').fill('stretch');
    await form.getByLabel('When exactly').fill('2h');
    await form.getByLabel('Its words', { exact: true }).fill('stretch your legs');
    await form.getByRole('button', { name: 'Make it' }).click();
    await form.getByText('It waits for your yes').waitFor();
    await page.getByRole('link', { name: /^Home/ }).click();
    await card('stretch').getByRole('button', { name: 'Approve', exact: true }).click();
    await view('Jobs');
    await page.locator('#job-stretch .strip', { hasText: 'next' }).waitFor();
  });

  it('runs, pauses and resumes a job by its buttons', async () => {
    await view('Jobs');
    const job = page.locator('#job-drink-water');
    await job.locator('.strip', { hasText: 'next' }).waitFor();
    await tap(job, 'Run now');
    await job.locator('.strip a .badge').first().waitFor();
    await tap(job, 'Pause');
    await job.getByText('The job drink-water is paused.').waitFor();
    await tap(job, 'Resume');
    await job.getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('finds a note, goes back to an earlier memory, and forgets, by the buttons of Memory', async () => {
    await view('Memory');
    await page.getByLabel('Search').fill('bike');
    await tap(page.locator('#notes'), 'Find');
    await page.locator('#notes [role=status] a', { hasText: 'my bike is blue' }).waitFor();
    const earlier = page.locator('#earlier');
    await tap(earlier, 'Take a snapshot now');
    await earlier.locator('.row button').nth(1).waitFor();
    await page.getByRole('slider').press('ArrowLeft');
    await page.locator('#difference li').first().waitFor();
    await tap(earlier, 'Go back to commit');
    await earlier.getByText('It waits for your yes: see Home.').waitFor();
    await page.locator('#notes [role=status] a').click();
    await tap(page.locator('#note'), 'Ask again');
    await tap(page.locator('#versions'), 'Ask again');
    await tap(page.locator('#forget'), 'Forget…');
    await tap(page.locator('#forget'), 'Yes, forget it');
    await page.locator('#forget', { hasText: 'Forgotten: ' }).waitFor();
    await page.locator('#versions', { hasText: 'forgotten' }).waitFor();
  });

  it('verifies the log and a file in the browser, and keeps what a later look needs', async () => {
    await view('Evidence');
    const verify = page.locator('#verify');
    await tap(page.locator('#log'), 'Ask again');
    await tap(verify, 'Verify now');
    await verify.locator('.badge.waiting', { hasText: 'consistent' }).waitFor();
    // From now on the browser knows the key and a checkpoint.
    await tap(verify, 'Verify now');
    await verify.locator('.badge.done', { hasText: 'verified' }).waitFor();
    await page.reload();
    await verify.getByText('This browser keeps the key').waitFor();
    await verify.getByLabel('An export or a receipt').setInputFiles(`${home.folder}/all.jsonl`);
    await verify.locator('.badge.done', { hasText: 'verified' }).waitFor();
    await tap(verify, 'Forget them');
    await verify.getByText('This browser keeps the key').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Key of the log').inputValue()).toBe('');
  });

  it('has a form for each command, and answers each look', async () => {
    await view('Manage');
    await page.locator('#nouns a').first().waitFor();
    await page.locator('#nouns summary').click();
    for (const noun of await page.locator('#nouns a').allTextContents()) {
      await page.locator('#nouns').getByText(noun, { exact: true }).click();
      await page.locator('#verbs-title', { hasText: noun }).waitFor();
      for (const words of await page.locator('#verbs summary strong').allTextContents()) {
        const verb = await openForm(words);
        const needed = await verb.locator('[required]').count();
        const isLook = (await verb.getByRole('button', { name: 'Show', exact: true }).count()) > 0;
        if (isLook && needed === 0) await verb.locator('.lines li').first().waitFor();
      }
      expect(await page.locator('.problem:visible').allTextContents()).toStrictEqual([]);
    }
  });

  it('changes what its forms say, and says what is wrong with them', async () => {
    await page.locator('#nouns').getByText('jobs', { exact: true }).click();
    const pause = await openForm('jobs pause <name>');
    await pause.getByLabel('name').fill('drink-water');
    await pause.getByRole('button', { name: 'Do it' }).click();
    await pause.getByText('The job drink-water is paused.').waitFor();
    await page.locator('#nouns').getByText('runbook', { exact: true }).click();
    const run = await openForm('runbook dry-run <runbook>');
    await run.getByLabel('runbook').fill('deploy-gate');
    await run.getByLabel('inputs').fill('shop');
    await run.getByRole('button', { name: 'Do it' }).click();
    await run.getByText('inputs must be JSON').waitFor();
    await run.getByLabel('inputs').fill('{"service": "shop", "version": "1.2", "hook": "deploy"}');
    await run.getByRole('button', { name: 'Do it' }).click();
    await run.getByText('Deploy version 1.2 of shop?').waitFor();
  });

  it('shows health and cost, and stops and goes on by one button', async () => {
    await view('Health');
    await page.locator('#doctor', { hasText: 'It can answer: yes.' }).waitFor();
    await page.locator('#budget', { hasText: 'At most $2.00 for one task' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('#health', { hasText: 'on: nothing is done' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('#health', { hasText: 'Kill switchoff' }).waitFor();
    expect(errors).toStrictEqual([]);
  });
});
