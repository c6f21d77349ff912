import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RUNBOOK_SCHEMA_FILE, runbookSchemaText } from '../../../infra/features/runbooks/schema.ts';
import { problemWords } from '../../../lib/core/base/file-problem.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { describeRunbook } from '../../../lib/features/runbooks/describe-runbook.ts';
import { parseRunbook } from '../../../lib/features/runbooks/parse-runbook.ts';
import { runbookTexts } from '../../../lib/features/runbooks/texts.ts';

const sandbox = await loadSandbox();

const HEAD = ['name: tidy', 'description: Tidies up.', 'inputs: { room: { meaning: Which room } }', 'tools: [recall]'];
/** A runbook of these lines after four of a head: the steps begin in line 6. */
const withSteps = (...lines: string[]): string => [...HEAD, 'steps:', ...lines].join('\n');

const problems = (text: string): readonly string[] => {
  const parsed = parseRunbook('r.yaml', text, sandbox);
  return parsed.kind === 'problems' ? parsed.problems.map(problemWords) : [];
};

const WHOLE = `
name: deploy-gate
description: Asks before a deployment.
inputs:
  service: { meaning: Name of the service, default: shop }
  port: { meaning: Its port, default: 443 }
  version: { meaning: Version to deploy }
time-limit: 12h
tools: [call-webhook, recall]
steps:
  - id: ask
    ask: Deploy {{inputs.service}} {{inputs.version}}?
    time-limit: 30m
  - id: deploy
    webhook: deployer
    body: { service: "{{inputs.service}}" }
    if-fails: { retry: 3, wait: 30s, then: undo }
    undo: { webhook: deployer, body: { action: rollback, of: "{{steps.deploy.data.id}}" } }
  - wait: 5m
  - each: steps.deploy.data.hosts
    most: 5
    steps:
      - tool: recall
        args: { query: "{{item.name}}" }
        shape: { item.name: "[a-z]{1,20}" }
        if-fails: { then: skip }
  - if: steps.deploy.data.status === 'failed'
    text: It failed.
  - model: Say it in five lines.
    with: "{{steps.deploy.output}}"
`;

const PERFORMED = { timeLimitMs: 3_600_000, ifFails: { retry: 0, waitMs: 10_000, next: 'stop' } };
const PLAIN = { id: undefined, condition: undefined };

const LATER = 'r.yaml: its names, tools, templates and expressions are checked once the form is right';

describe('parseRunbook', () => {
  it('reads every kind of step, with every default filled in', () => {
    expect(parseRunbook('r.yaml', WHOLE, sandbox)).toStrictEqual({
      kind: 'runbook',
      runbook: {
        name: 'deploy-gate',
        description: 'Asks before a deployment.',
        inputs: [
          { name: 'service', meaning: 'Name of the service', default: 'shop' },
          { name: 'port', meaning: 'Its port', default: '443' },
          { name: 'version', meaning: 'Version to deploy', default: undefined },
        ],
        timeLimitMs: 43_200_000,
        tools: ['call-webhook', 'recall'],
        steps: [
          {
            ...PERFORMED,
            place: '1',
            id: 'ask',
            condition: undefined,
            kind: 'ask',
            question: 'Deploy {{inputs.service}} {{inputs.version}}?',
            timeLimitMs: 1_800_000,
          },
          {
            place: '2',
            id: 'deploy',
            condition: undefined,
            kind: 'call',
            shapes: {},
            call: { tool: 'call-webhook', args: { webhook: 'deployer', body: { service: '{{inputs.service}}' } } },
            undo: {
              tool: 'call-webhook',
              args: { webhook: 'deployer', body: { action: 'rollback', of: '{{steps.deploy.data.id}}' } },
            },
            timeLimitMs: 3_600_000,
            ifFails: { retry: 3, waitMs: 30_000, next: 'undo' },
          },
          { ...PLAIN, place: '3', kind: 'wait', waitMs: 300_000 },
          {
            ...PLAIN,
            place: '4',
            kind: 'each',
            list: 'steps.deploy.data.hosts',
            most: 5,
            steps: [
              {
                ...PLAIN,
                place: '4.1',
                kind: 'call',
                shapes: { 'item.name': '[a-z]{1,20}' },
                call: { tool: 'recall', args: { query: '{{item.name}}' } },
                undo: undefined,
                timeLimitMs: 3_600_000,
                ifFails: { retry: 0, waitMs: 10_000, next: 'skip' },
              },
            ],
          },
          {
            ...PERFORMED,
            place: '5',
            id: undefined,
            condition: "steps.deploy.data.status === 'failed'",
            kind: 'text',
            text: 'It failed.',
          },
          {
            ...PLAIN,
            ...PERFORMED,
            place: '6',
            kind: 'model',
            prompt: 'Say it in five lines.',
            material: '{{steps.deploy.output}}',
            answerChars: 2_000,
          },
        ],
      },
    });
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'a step of no kind, of two kinds, and with a field of another kind',
      ['  - id: a', '  - text: hi', '    wait: 5m', '  - wait: 5m', '    most: 3'],
      [
        'r.yaml line 6: it is of no kind: a step is one of ask, webhook, tool, text, wait, each, model',
        'r.yaml line 8: it is text and wait at once: a step is one of ask, webhook, tool, text, wait, each, model',
        'r.yaml line 10: most does not belong to a step of the kind wait',
      ],
    ],
    [
      'names that do not exist, or come later',
      [
        '  - id: a',
        '    text: "{{steps.b.output}} {{inputs.house}} {{steps.zzz.output}} {{word.x}} {{item}}"',
        '  - id: b',
        '    if: steps.c?.data.ok',
        '    text: "{{inputs.room}} {{event.body.id}} {{steps.a.output}}"',
      ],
      [
        'r.yaml line 7: the step b has not been done yet at this place',
        'r.yaml line 7: there is no input house',
        'r.yaml line 7: there is no step zzz',
        'r.yaml line 7: it names word; it may name inputs, steps, item and event',
        'r.yaml line 7: it names item, which only the steps of an each know',
        'r.yaml line 9: there is no step c',
      ],
    ],
    [
      'templates that are no path',
      ['  - text: "{{inputs.room + 1}}"', '  - text: "{{inputs.room"'],
      [
        'r.yaml line 6: {{inputs.room + 1}} is no template: write {{ and }} around a path such as inputs.service',
        'r.yaml line 7: {{ without }} is no template: write {{ and }} around a path such as inputs.service',
      ],
    ],
    [
      'expressions that do not parse, or hold templates',
      ['  - if: inputs.room ===', '    text: hi', '  - each: "[{{inputs.room}}]"', '    steps: [{ text: hi }]'],
      [
        'r.yaml line 6: the expression does not parse as one JavaScript expression',
        'r.yaml line 8: the expression does not parse as one JavaScript expression',
        'r.yaml line 8: an expression takes no templates: write inputs.service, without {{ and }}',
      ],
    ],
    [
      'two steps of one name, and tools that are not listed',
      ['  - { id: a, text: hi }', '  - id: a', '    webhook: shop', '  - tool: remember', '    undo: { tool: forget }'],
      [
        'r.yaml line 7: there are two steps a',
        'r.yaml line 7: it uses call-webhook, which tools does not list',
        'r.yaml line 9: it uses remember, which tools does not list',
        'r.yaml line 10: it uses forget, which tools does not list',
      ],
    ],
    [
      'times that are none, or too long',
      ['  - wait: soon', '  - wait: 8d', '  - { text: hi, time-limit: 0m }'],
      [
        'r.yaml line 6: must be a time such as 30s, 5m, 2h or 1d',
        'r.yaml line 7: must be at most 7d',
        'r.yaml line 8: must be a time such as 30s, 5m, 2h or 1d',
      ],
    ],
    [
      'an each without steps, and steps nested too deeply',
      [
        '  - each: "[1]"',
        '  - each: "[1]"',
        '    steps:',
        '      - each: "[1]"',
        '        steps:',
        '          - each: "[1]"',
        '            steps: [{ text: hi }]',
      ],
      [
        'r.yaml line 6: each needs steps, which are performed for every entry',
        'r.yaml line 11: steps may be nested 3 deep at most',
      ],
    ],
    [
      'a shape that is none',
      ['  - { webhook: w, body: {}, shape: { item: "(a+)+" } }'],
      [expect.stringMatching(/^r.yaml line 6: steps.0.shape.item/), LATER],
    ],
    [
      'a shape of a value that the step does not use, or that no answer brings',
      [
        '  - { id: a, text: hi }',
        '  - { webhook: w, body: { b: "{{event.x}}" }, shape: { event.x: [y], steps.a.output: [y] } }',
      ],
      ['event.x', 'steps.a.output']
        .map(
          (one) => `r.yaml line 7: this step puts in no {{${one}}}: a shape is for a value of an answer, or for item`,
        )
        .toSpliced(0, 0, 'r.yaml line 7: it uses call-webhook, which tools does not list'),
    ],
    [
      'values out of bounds',
      ['  - text: ""', '  - { each: "[1]", most: 101, steps: [{ text: hi }] }', '  - { id: A-b, text: hi }'],
      [
        'r.yaml line 6: steps.0.text must not be empty',
        'r.yaml line 7: steps.1.most must be at most 100',
        'r.yaml line 8: steps.2.id must be one word of letters, digits and _ that begins with a small letter',
        LATER,
      ],
    ],
    [
      'members that are missing or unknown, in the order of their lines',
      ['  - { ask: 7, colour: red }', '  - text: hi', '    txt: ho', 'inputs2: { a: 1 }', 'descriptn: x'],
      [
        'r.yaml line 6: steps.0.ask must be a string',
        'r.yaml line 6: unknown member colour',
        'r.yaml line 8: unknown member txt: did you mean text?',
        'r.yaml line 9: unknown member inputs2: did you mean inputs?',
        'r.yaml line 10: unknown member descriptn: did you mean description?',
        LATER,
      ],
    ],
    [
      'characters that nobody sees',
      ['  - text: hi\u200bthere'],
      ['r.yaml line 6: it holds a character that nobody sees: \\u{200b}'],
    ],
  ])('names %s', (_, lines, expected) => {
    expect(problems(withSteps(...lines))).toStrictEqual(expected);
  });

  it('says which step and which input a name probably means', () => {
    const found = problems(
      withSteps('  - { id: look, text: hi }', '  - if: steps.loook.data', '    text: "{{inputs.roon}}"'),
    );
    expect(found).toStrictEqual([
      expect.stringMatching(/there is no step loook: did you mean look\?$/),
      expect.stringMatching(/there is no input roon: did you mean room\?$/),
    ]);
  });

  it('says which member an unknown one means, if that is missing', () => {
    expect(problems('name: tidy\ndescripton: Tidies up.\nsteps: [{ text: hi }]')).toStrictEqual([
      'r.yaml line 1: description is missing',
      'r.yaml line 2: unknown member descripton: did you mean description?',
      LATER,
    ]);
  });

  it.each<[string, string, string]>([
    [
      'more steps than allowed, counted with those within others',
      withSteps(...Array.from({ length: 16 }, () => '  - { each: "[1]", steps: [{ text: hi }] }')),
      'r.yaml line 5: it has 32 steps, and 30 are allowed',
    ],
    [
      'a file that is too long',
      withSteps(`  - text: ${'a'.repeat(24_000)}`),
      'r.yaml: it has 24110 characters, and 24000 are allowed',
    ],
    [
      'a tool that starts runs',
      withSteps('  - tool: run-runbook').replace('[recall]', '[run-runbook]'),
      'r.yaml line 4: a runbook may not use the tool run-runbook',
    ],
  ])('refuses %s', (_, text, expected) => {
    expect(problems(text).filter((one) => one !== LATER)).toStrictEqual([expected]);
  });

  it('does not take words in quotes for names', () => {
    expect(problems(withSteps(`  - if: inputs.room === 'steps.other'`, '    text: hi'))).toStrictEqual([]);
  });

  it.each([
    [1, '1 more try, the first after 30 s or up to a minute later'],
    [2, '2 more tries, the first after 30 s'],
  ])('says in words what %d as retry means', (retry, words) => {
    const parsed = parseRunbook('r.yaml', WHOLE.replace('retry: 3', `retry: ${retry}`), sandbox);
    expect(parsed.kind === 'problems' ? [] : describeRunbook(runbookTexts.en, parsed.runbook).join('\n')).toContain(
      words,
    );
  });

  it('has a JSON Schema for editors that is current (else: npm run runbook-schema)', () => {
    expect(readFileSync(RUNBOOK_SCHEMA_FILE, 'utf8')).toBe(runbookSchemaText());
  });
});
