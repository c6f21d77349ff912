/**
 * The command line's pure parts: text made safe for a terminal, and words that were nearly right.
 */

import { describe, expect, it } from 'vitest';
import { loadCommands } from '../../infra/cli/command-table.ts';
import { asFirst } from '../../infra/cli/setup/steps.ts';
import { shellLines } from '../../infra/cli/shell-lines.ts';
import { buildTerminal, printable, printableCut, printableLines, showWords } from '../../infra/cli/terminal.ts';
import { parseLoosened } from '../../lib/core/approvals/grant-wish.ts';
import { nearest } from '../../lib/core/base/distance.ts';
import { effectsResolve } from '../../lib/core/edge/console/console-verbs.ts';
import { readWords } from '../../lib/core/operations/read-words.ts';
import { fc } from '../support/fast-check.ts';

describe('printable', () => {
  it('leaves no character that a terminal would obey or hide', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(printableLines(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
  it('keeps lines only where lines are meant', () => {
    expect(printableLines('a\r\n\tb')).toBe('a\n    b');
    expect(printable('a\nb')).toBe('a\\u{a}b');
    expect(printableCut('a\nb   c', 4)).toBe('a b…');
  });
});

describe('shellLines', () => {
  it.each([
    ['/jobs show tea shows it.', 'npx passepartout jobs show tea shows it.'],
    [
      'To look: /why <signal>. Or /forget <id>',
      'To look: npx passepartout why <signal>. Or npx passepartout forget <id>',
    ],
    ['… UTC. /budget says more.', '… UTC. npx passepartout budget says more.'],
    ['in /etc/jobs or /jobs/x, not me/why', 'in /etc/jobs or /jobs/x, not me/why'],
  ])('makes lines of a shell of %j', (said, shown) => {
    expect(shellLines(said)).toBe(shown);
  });
});

describe('buildTerminal', () => {
  it('names the deployed stack in each line to paste that talks to it', () => {
    let out = '';
    const stream = { write: (text: string) => (out += text) };
    const { line } = buildTerminal(stream, stream, false, {}, 'Home');
    line('npx passepartout approve ab, or npx passepartout deny ab');
    line('npx passepartout verify e.jsonl; npx passepartout connect-telegram --stack Home');
    expect(out.split('\n')).toStrictEqual([
      'npx passepartout --stack Home approve ab, or npx passepartout --stack Home deny ab',
      'npx passepartout verify e.jsonl; npx passepartout connect-telegram --stack Home',
      '',
    ]);
  });
});

describe('a terminal', () => {
  it('says its own lines in its language, and words of others as they are', () => {
    let out = '';
    const stream = { write: (text: string) => (out += text) };
    const terminal = buildTerminal(stream, stream, false, {}, undefined, (text) => text.replace('done', 'erledigt'));
    terminal.line('done');
    terminal.quote('done');
    showWords(terminal, {}, ['done']);
    expect(out).toBe('erledigt\ndone\ndone\n');
  });
});

describe('parseLoosened', () => {
  it.each([
    ['', []],
    ['body.ref', [{ path: '/body/ref', kind: 'any' }]],
    [
      '/body/a.b, body.path=docs/',
      [
        { path: '/body/a.b', kind: 'any' },
        { path: '/body/path', kind: 'prefix', prefix: 'docs/' },
      ],
    ],
    ['body.q=a=b', [{ path: '/body/q', kind: 'prefix', prefix: 'a=b' }]],
  ])('reads %s', (given, expected) => {
    expect(parseLoosened(given)).toStrictEqual(expected);
  });
});

describe('nearest', () => {
  const known = ['send', 'signals', 'stop', 'approve', 'approvals'];
  it.each([
    ['sned', 'send'],
    ['sig', 'signals'],
    ['SEND', 'send'],
    ['aprove', 'approve'],
    ['xyzzy', undefined],
    ['', undefined],
  ])('takes %j for %j', (typed, meant) => {
    expect(nearest(typed, known)).toBe(meant);
  });
});

describe('asFirst', () => {
  const endpoint = { OPENAI_BASE_URL: 'http://h/v1', OPENAI_MODEL: 'm', OPENAI_API_KEY: '' };
  const openai = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: '', OPENAI_MODEL: '' };
  it.each([
    ['an endpoint alone', endpoint, {}, undefined],
    ['an endpoint in the place of OpenAI', endpoint, { OPENAI_API_KEY: 'k' }, undefined],
    ['OpenAI in the place of an endpoint', openai, { ...endpoint, GROQ_API_KEY: 'k' }, undefined],
    ['OpenAI, whose endpoint is named', openai, { ...endpoint, PROVIDER_CASCADE: 'custom' }, 'openai'],
    ['another that comes later', { GROQ_API_KEY: 'k' }, { ANTHROPIC_API_KEY: 'k' }, 'groq,anthropic'],
    ['another that comes earlier', { ANTHROPIC_API_KEY: 'k' }, { GROQ_API_KEY: 'k' }, undefined],
    ['an Ollama', { OLLAMA_BASE_URL: 'http://h', OLLAMA_MODEL: 'm' }, { OPENAI_API_KEY: 'k' }, 'ollama,openai'],
    [
      'the rest as it was named',
      { GROQ_API_KEY: 'k' },
      { PROVIDER_CASCADE: 'anthropic:x, groq:y', ANTHROPIC_API_KEY: 'k' },
      'groq,anthropic:x',
    ],
    ['one that is first', { GROQ_API_KEY: 'k' }, { PROVIDER_CASCADE: 'groq:y' }, undefined],
  ])('puts first what was chosen: %s', (_, settings, variables, order) => {
    const { PROVIDER_CASCADE, ...rest } = asFirst(settings, variables);
    expect(rest).toStrictEqual(settings);
    expect(PROVIDER_CASCADE).toBe(order);
  });
});

describe('effects resolve', () => {
  it.each([
    ['con-a/1#2 done', { signal: 'con-a/1', n: 2, resolution: 'done' }],
    ['con-a/1 0 retry', { signal: 'con-a/1', n: 0, resolution: 'retry' }],
  ] as const)('reads %j', (words, expected) => {
    expect(readWords(effectsResolve, words)).toStrictEqual(expected);
  });
  it.each(['con-a done', 'con-a#1 2 done', 'con-a#1 maybe', 'list con-a#1 done'])('refuses %j', (words) => {
    expect(() => readWords(effectsResolve, words)).toThrow('effects resolve <signal>#<n> done|retry');
  });
});

describe('loadCommands', () => {
  it('loads the command that is named, under its own name, and all where none is or help is asked for', async () => {
    const all = await loadCommands([]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name } of all.filter((command) => !['help', 'completion'].includes(command.name)))
      expect((await loadCommands(['--json', '--stack', 'help', name, 'x'])).map((one) => one.name)).toStrictEqual([
        name,
      ]);
    for (const words of [['--help', 'send'], ['sned'], ['--since', '7d', 'replay']])
      expect(await loadCommands(words)).toHaveLength(all.length);
  });
});

describe('completion', () => {
  it('knows every command and each verb of it, also its own', async () => {
    const all = await loadCommands(['help']);
    const lines: string[] = [];
    const terminal = { line: (text = '') => void lines.push(text) };
    const completion = all.find(({ name }) => name === 'completion');
    await completion?.run({ args: ['bash'], terminal } as never);
    const [, names = ''] = /1\) words='(.*)'/.exec(lines.join('\n')) ?? [];
    expect(names.split(' ').toSorted()).toStrictEqual(all.map(({ name }) => name).toSorted());
    const verbs = lines
      .filter((line) => /^ +(?:policy|runner|jobs|completion)\) /.test(line))
      .map((line) => line.trim());
    expect(verbs).toStrictEqual([
      "policy) words='init check try set show' ;;",
      "runner) words='pair check start secret' ;;",
      expect.stringMatching(/^jobs\) words='list show .*remove'/),
      "completion) words='bash zsh fish' ;;",
    ]);
  });
});
