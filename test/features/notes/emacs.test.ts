/**
 * The Emacs client against a real stack: every command, a card, and what it refuses. Without Emacs
 * the test says that it was not run.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { CHILD_ENV } from '../../support/child-env.ts';
import { call, say, userTextOf } from '../../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack } from '../../support/stack.ts';

const CLIENT = join(ROOT, 'infra/features/notes/emacs/passepartout.el');
const LINES_MAX = 400;
const EMACS_MS = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'passepartout-emacs-'));
let world: TestStack | undefined;

const emacs = (...words: string[]): Promise<{ readonly code: number; readonly out: string }> =>
  new Promise((resolve) => {
    execFile(
      'emacs',
      ['-Q', '--batch', ...words],
      { cwd: folder, env: { ...CHILD_ENV, HOME: folder, LANG: 'C.UTF-8' }, timeout: EMACS_MS },
      (error, out, errors) => resolve({ code: error === null ? 0 : Number(error.code) || 1, out: out + errors }),
    );
  });
const problem = (await emacs('--version')).code === 0 ? undefined : 'needs Emacs (Debian: emacs-nox)';

/** What a program prints that has loaded the client. */
const run = (code: string, url = world?.stack.url ?? ''): Promise<{ readonly code: number; readonly out: string }> => {
  const setUp = `(progn (load "${CLIENT}" nil t)
    (setq passepartout-url "${url}" passepartout-token-file "${join(folder, 'token')}")
    (defun show (buffer) (princ (with-current-buffer buffer (buffer-string)))))`;
  return emacs('--eval', setUp, '--eval', code);
};

beforeAll(async () => {
  writeFileSync(join(folder, 'token'), `${APPROVER_TOKEN}\n`, { mode: 0o600 });
  if (problem !== undefined) return;
  world = await startTestStack({
    isPolling: false,
    script: (request) => {
      const text = userTextOf(request);
      if (!text.includes('tell me every day')) return say(text.includes('Öl') ? 'Es geht um Öl.' : 'ok');
      const steps = [{ say: 'Guten Morgen – Öl prüfen' }];
      const explanation = 'The owner asked to be told this every day.';
      return call('schedule-job', { name: 'daily', cron: '0 8 * * *', steps, explanation });
    },
  });
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('compiles without a warning, and is short', async ({ skip }) => {
  if (problem !== undefined) return skip(problem);
  expect(readFileSync(CLIENT, 'utf8').split('\n').length).toBeLessThanOrEqual(LINES_MAX);
  copyFileSync(CLIENT, join(folder, 'passepartout.el'));
  const compiled = await emacs(
    '--eval',
    '(setq byte-compile-error-on-warn t)',
    '-f',
    'batch-byte-compile',
    'passepartout.el',
  );
  expect(compiled).toStrictEqual({ code: 0, out: '' });
});

it('captures, recalls, asks, looks, inserts and approves', async ({ skip }) => {
  if (problem !== undefined) return skip(problem);
  const first = await run(`(progn
    (with-temp-buffer (transient-mark-mode 1) (insert "Die Heizung braucht\\n Öl „jährlich“ #haus") (push-mark (point-min) t t)
      (passepartout-capture))
    (show (passepartout-recall "Heizung"))
    (with-current-buffer "*Passepartout notes*" (goto-char (point-min)) (passepartout-focus (passepartout--id-at-point)))
    (with-temp-buffer (transient-mark-mode 1) (insert "Text über Öl") (push-mark (point-min) t t)
      (show (passepartout-ask "Worum geht es?")))
    (with-temp-buffer (org-mode)
      (passepartout-insert-note (with-current-buffer "*Passepartout notes*" (get-text-property (point-min) 'passepartout-id)))
      (princ (buffer-string))))`);
  expect(first.out).toMatch(/^Remembered as [0-9a-f]{32}\.$/m);
  expect(first.out).toContain('Die Heizung braucht\n Öl „jährlich“\n');
  expect(first.out).toMatch(/^In focus here: [0-9a-f]{8} {2}Die Heizung braucht/m);
  expect(first.out).toContain('Es geht um Öl.');
  expect(first.out).toMatch(/^\* \n:PROPERTIES:\n:passepartout-note: [0-9a-f]{32}\n:END:\nDie Heizung braucht\n/m);

  const asked = await run('(show (passepartout-ask "tell me every day"))');
  expect(asked.out).toContain('It waits for your yes: M-x passepartout-approve.');
  const agenda = await run('(show (passepartout-agenda))');
  expect(agenda.out).toMatch(/^Waits for your yes \(y answers\):\n {2}.*“Guten Morgen – Öl prüfen”/m);
  const answered = await run(`(cl-letf (((symbol-function 'read-multiple-choice)
      (lambda (&rest _) (show "*Passepartout card*") '(?y "yes"))))
    (passepartout-approve))`);
  const [, exact = ''] = /Exactly this is performed:\n(\{.*\})\n/.exec(answered.out) ?? [];
  expect(JSON.parse(exact)).toMatchObject({ target: 'tool', tool: 'schedule-job', args: { name: 'daily' } });
  expect(answered.out).toContain('1 of 1 cards are answered');
  expect((await run('(passepartout-approve)')).out).toBe('Nothing waits for your yes\n');
});

it('shows what is hidden in a text, and sends its token nowhere else', async ({ skip }) => {
  if (problem !== undefined) return skip(problem);
  expect((await run('(princ (passepartout--visible "a\\u202eb\\u200bc\\x1b[0m"))')).out).toBe(
    'a\\u{202e}b\\u{200b}c\\u{1b}[0m',
  );
  const seen: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: `http://localhost:${(other.address() as AddressInfo).port}/elsewhere` }).end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const refused = await run('(passepartout-recall "x")', `http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  await new Promise((resolve) => other.close(resolve));
  expect(seen).toHaveLength(1);
  expect(refused.out).toContain('The stack does not answer');
  const plain = await run('(passepartout-recall "x")', 'http://example.com');
  expect(plain.out).toContain('The address must begin with https://');
  writeFileSync(join(folder, 'token'), 'wrong-token-that-nobody-reads');
  const wrong = await run('(let ((debug-on-error t)) (passepartout-recall "x"))');
  expect(wrong.out).toContain('a valid bearer token is needed');
  for (const { out } of [refused, plain, wrong]) expect(out).not.toMatch(/wrong-token|approver-token/);
});
