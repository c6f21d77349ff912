/** A person reads what a rule found, in each language, and no order to the model. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { cardWords } from '../../../lib/core/judge/card.ts';
import { rejectionReasons } from '../../../lib/core/judge/judge.ts';
import { notices } from '../../../lib/core/judge/notices.ts';
import { forPeople } from '../../../lib/core/language/for-people.ts';
import { STORED_IN_GERMAN } from '../../../lib/core/language/stored-german.ts';
import { storedSentences } from '../../../lib/core/language/stored-sentences.ts';
import type { Attempt } from '../../../lib/core/signal/decision.ts';
import { signalTexts } from '../../../lib/core/verbs/signals/texts.ts';

/** An order that only somebody who proposes calls could obey. */
const ORDER =
  /\bpropos(?:e|ing) (?:something|this)|\bcall read-file|in own words|say less at once|no markup|write -- |say what is so|leave (?:it|them) out|without a name$|make these calls/;
const GERMAN_ORDER = /vorschlagen|aufrufen|eigenen Worten sagen|-- vor Namen|weglassen$|ohne Namen|jetzt machen/;
/** A literal with an order behind a reason, in each kind of quotes. */
const LITERAL = /(['"`])((?:(?!\1)[^\n])*[:;] (?:then )?(?:propose|call|do|think) (?:(?!\1)[^\n])*)\1/g;
/** The model alone reads these lines: they are made with a prompt and stored nowhere. */
const IN_A_PROMPT = /^Working on this failed/;
/** The form of a setting's file, which its owner writes. */
const TO_AN_OWNER = /^isOff is for built-in skills/;

const STORED = STORED_IN_GERMAN.map(([stored]) => stored).filter((stored) => !TO_AN_OWNER.test(stored));
/** A part that stands behind a reason, and is never alone. */
const PARTS = ['call read-file with its path and nothing else, then propose this again'];
const ORDERS = STORED.filter((stored) => ORDER.test(stored) && !PARTS.includes(stored));

describe('a stored sentence', () => {
  it('has an order in so many cases', () => {
    expect(ORDERS.length).toBeGreaterThan(14);
  });

  it.each(ORDERS)('is said without it: %s', async (stored) => {
    for (const one of [stored, `the reply: ${stored} (repeat)`, `before; ${stored}`, `${stored}; after`]) {
      for (const language of ['en', 'de'] as const) {
        const words = [
          (await storedSentences.in(language))(one),
          (await cardWords.in(language)).stored(one),
          (await signalTexts.in(language)).story.stored(one),
          (await notices.refused('tg-1-1', [one], true).textIn?.(language)) ?? '',
        ];
        for (const said of words) {
          expect(said).not.toMatch(ORDER);
          expect(said).not.toMatch(GERMAN_ORDER);
          expect(said.length).toBeGreaterThan(8);
        }
      }
    }
  });

  it('stays as it is without one', () => {
    const others = STORED.filter((stored) => !ORDER.test(stored));
    expect(others.filter((stored) => forPeople(stored) !== stored)).toStrictEqual([]);
  });

  it('is in no file of gates, tools or stages that this table does not know', () => {
    const rooms = 'lib/{core/{gates,judge,llm,tools,stages}/**,features/{runner,skills,runbooks,mcp}/**}/*.ts';
    const found = globSync(rooms, { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(LITERAL)]
        .map(([, , literal = '']) => literal.replaceAll(/\$\{[^}]*\}/g, 'x'))
        .filter((literal) => forPeople(literal) === literal && !IN_A_PROMPT.test(literal)),
    );
    expect(found).toStrictEqual([]);
  });
});

describe('rejectionReasons', () => {
  const judged = (hash: string, gate: string, reason: string): Attempt['judged'][number] => ({
    action: { target: 'tool', tool: 'write-file', explanation: '', author: 'model' },
    hash,
    outcome: 'block',
    trace: [{ gate, verdict: 'block', reason }],
    facts: [],
  });
  const attempt = (n: number, ...actions: Attempt['judged']): Attempt => ({
    ...{ schemaVersion: 1, n, at: 0, provider: 'a', model: 'b', promptHash: '' },
    judged: actions,
  });
  const again = 'exactly this was refused before: propose something else, or say why it cannot be done';
  const first = attempt(1, judged('one', 'skill:tidy', 'no file is named so'), judged('two', 'budget', 'too much'));
  const second = attempt(2, judged('one', 'repeat', again));

  it.each([
    [
      'of the same action',
      [first, second],
      attempt(3, judged('one', 'repeat', again)),
      'no file is named so (skill:tidy)',
    ],
    ['of another action', [first], attempt(2, judged('two', 'repeat', again)), 'too much (budget)'],
    ['of none before', [], second, `${again} (repeat)`],
    ['of itself', [first], attempt(2, judged('one', 'access', 'not for you')), 'not for you (access)'],
  ])('says the first reason %s', (_name, earlier, last, reason) => {
    expect(rejectionReasons(last, earlier)).toStrictEqual([`write-file: ${reason}`]);
  });

  it('tells the model what the last gate said', () => {
    expect(rejectionReasons(second)).toStrictEqual([`write-file: ${again} (repeat)`]);
  });
});
