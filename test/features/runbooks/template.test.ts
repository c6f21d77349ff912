import { describe, expect, it } from 'vitest';
import type { Json } from '../../../lib/core/base/json.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { evaluateEach, evaluateIf } from '../../../lib/features/runbooks/expression.ts';
import { fillArgs, fillKnown, fillText, type Scope } from '../../../lib/features/runbooks/fill-template.ts';
import { readResult } from '../../../lib/features/runbooks/read-result.ts';

const sandbox = await loadSandbox();

const scope: Scope = {
  inputs: { service: 'shop', trick: '{{inputs.service}}' },
  steps: {
    list: { output: '{"items":[{"n":1}]}', data: { items: [{ n: 1, 'a-b': null }] }, isNew: true },
    text: { output: 'x'.repeat(20_000), isNew: false },
  },
  item: 7,
};

describe('fillArgs', () => {
  it.each<[Json, Json]>([
    ['{{inputs.service}}', 'shop'],
    ['{{ inputs.service }}!', 'shop!'],
    ['{{item}}', 7],
    ['no {{item}}', 'no 7'],
    ['{{steps.list.data.items}}', [{ n: 1, 'a-b': null }]],
    ['{{steps.list.data.items.0.a-b}}', null],
    ['<{{steps.list.data.items}}>', '<[{"n":1,"a-b":null}]>'],
    ['{{steps.list.isNew}}', true],
    ['<{{steps.skipped.output}}>', '<>'],
    ['{{inputs.trick}}', '{{inputs.service}}'],
    ['{{inputs.trick}}{{item}}', '{{inputs.service}}7'],
    [{ '{{item}}': ['{{item}}', { deep: '{{item}}' }, 3, null] }, { '{{item}}': [7, { deep: 7 }, 3, null] }],
  ])('fills %j', (value, expected) => {
    expect(fillArgs({ value }, scope)).toStrictEqual({ kind: 'value', value: { value: expected } });
  });

  it.each<[string, string]>([
    ['{{inputs.other}}', 'names {{inputs.other}}, and there is no such value in this run'],
    ['{{steps.skipped.data.a}}', 'names {{steps.skipped.data.a}}, and there is no such value in this run'],
    ['{{inputs.constructor.name}}', 'names {{inputs.constructor.name}}, and there is no such value in this run'],
    ['{{steps.list.output.length}}', 'names {{steps.list.output.length}}, and there is no such value in this run'],
    ['{{event.body}}', 'names {{event.body}}, and there is no such value in this run'],
    ['{{steps.text.output}}{{steps.text.output}}', 'would hold more than 32000 characters of other steps'],
  ])('refuses %s', (value, problem) => {
    expect(fillArgs({ value }, scope)).toStrictEqual({ kind: 'problem', problem });
  });
});

describe('fillText', () => {
  it('gives a text, whatever the value is', () => {
    expect(fillText('{{item}}', scope)).toStrictEqual({ kind: 'value', value: '7' });
  });
});

describe('fillKnown', () => {
  it('leaves what is not known yet', () => {
    const args = { a: '{{inputs.service}}', b: ['{{steps.later.output}}', 'is {{ steps.later.data.n }}'] };
    const value = { a: 'shop', b: ['{{steps.later.output}}', 'is {{steps.later.data.n}}'] };
    expect(fillKnown(args, scope)).toStrictEqual({ kind: 'value', value });
  });
});

describe('readResult', () => {
  it.each<[string | undefined, string, object]>([
    ['calculate', 'plain words', { output: 'plain words', isNew: true }],
    ['calculate', '{"a":1}', { output: '{"a":1}', data: { a: 1 }, isNew: true }],
    ['recall', 'No note', { output: 'No note', data: [], isNew: true }],
    [
      'recall',
      '{"a":1}\n{"a":2}\n(3 more)',
      { output: '{"a":1}\n{"a":2}\n(3 more)', data: [{ a: 1 }, { a: 2 }], isNew: true },
    ],
    ['call-webhook', '{"status":200,"body":"ok"}', { output: 'ok', isNew: true, status: 200 }],
    [
      'call-webhook',
      '{"status":201,"body":"{\\"id\\":5}"}',
      { output: '{"id":5}', data: { id: 5 }, isNew: true, status: 201 },
    ],
    ['call-webhook', 'nonsense', { output: 'nonsense', isNew: true }],
    [undefined, 'null', { output: 'null', data: null, isNew: true }],
  ])('of %s reads %s', (tool, text, expected) => {
    expect(readResult(tool, text, true)).toStrictEqual(expected);
  });
});

describe('evaluateIf, evaluateEach', () => {
  const problem = (words: string) => ({ kind: 'problem', problem: words });

  it.each<[string, object]>([
    ["inputs.service === 'shop' && item === 7", { kind: 'value', value: true }],
    ['steps.list.data.items.length > 1', { kind: 'value', value: false }],
    ['steps.skipped?.isNew ?? false', { kind: 'value', value: false }],
    ['steps.skipped.isNew', problem('ended with an error')],
    ['item', problem('gives neither true nor false')],
    ['(() => { while (true); })()', problem('took too many steps and was ended')],
  ])('evaluates if: %s', (expression, expected) => {
    expect(evaluateIf(sandbox, expression, scope)).toStrictEqual(expected);
  });

  it.each<[string, number, object]>([
    ['steps.list.data.items.map(({ n }) => n + 1)', 5, { kind: 'value', value: [2] }],
    ['[1, 2, 3]', 2, problem('gives 3 entries, and 2 are allowed')],
    ['steps.list.data', 5, problem('gives no list')],
  ])('evaluates each: %s', (expression, most, expected) => {
    expect(evaluateEach(sandbox, expression, scope, most)).toStrictEqual(expected);
  });
});
