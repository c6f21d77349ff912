/** The page says nothing but its table of texts, and each of them in both languages. */
import { globSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { EffectState } from '../../../lib/core/signal/decision.ts';
import { OccurrenceState } from '../../../lib/core/signal/job-run.ts';
import { SHOWN_STATES } from '../../../lib/core/wings/signals/plain-words.ts';
import { SENSOR_WORDS } from '../../../lib/core/wings/signals/sensor-words.ts';
import { sensorWordsIn, stateWordIn } from '../../../lib/core/wings/signals/shown-words.ts';
import { TEXTS } from '../../../lib/features/page/app/texts.ts';

const APP = new URL('../../../lib/features/page/app/', import.meta.url).pathname;
const SOURCES = globSync('*.{ts,tsx}', { cwd: APP }).filter((name) => name !== 'texts.ts');

/** A string of the compiled code, JSX text too, with the property that it is given to. */
const STRING = /(?:(\w+|"[\w-]+"): )?(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const SHOWN = /^"?(?:children|label|title|placeholder|aria-label|none|text|source|alt)"?$/;
const SENTENCE = /\p{L}{2,}[,.:;!?…]* +\p{L}/u;
/** Classes, a place in the document, data, code, a program, and an error that nobody sees. */
const NO_TEXT = [
  /^(?:said (?:mine|note|theirs)|\.sure button|of action|\[approval card\]|Passepartout)$/,
  /^(?:npx passepartout evidence key|there is no stream|@id\("no-webhooks"\)\n.*)$/,
];

/** Texts in a source that a person would read. */
const findTexts = (source: string, loader: 'ts' | 'tsx'): readonly string[] => {
  const { code } = transformSync(source, { loader, jsx: 'automatic', jsxImportSource: 'preact', charset: 'utf8' });
  return [...code.matchAll(STRING)].flatMap(([, property = '', quoted, template = '']) => {
    const text = (quoted ?? template.replaceAll(/\$\{[^}]*\}/g, ''))
      .replaceAll('\\n', '\n')
      .replaceAll('\\"', '"')
      .trim();
    const isShown =
      (SENTENCE.test(text) && property !== 'class' && property !== 'kind') ||
      (SHOWN.test(property) && /\p{L}/u.test(text));
    return isShown && !NO_TEXT.some((pattern) => pattern.test(text)) ? [text] : [];
  });
};

describe('findTexts', () => {
  it.each([
    ['<p>Hello</p>', 'Hello'],
    ['<p>{count} of them</p>', 'of them'],
    ['<p>{isOn ? "It is on" : ""}</p>', 'It is on'],
    ['<ol aria-label="Moments" />', 'Moments'],
    ['<Card title="Jobs" id="jobs" />', 'Jobs'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source
    ['<input placeholder={`Write ${what}`} />', 'Write'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source
    ['const why = `The server said ${no}`', 'The server said'],
  ])('finds the text of %s', (source, text) => {
    expect(findTexts(source, 'tsx')).toStrictEqual([text]);
  });
});

describe('the sources of the page', () => {
  it.each(SOURCES)('hold no text of their own: %s', (name) => {
    expect(findTexts(readFileSync(APP + name, 'utf8'), name.endsWith('x') ? 'tsx' : 'ts')).toStrictEqual([]);
  });

  it('use each text of the table', () => {
    const all = SOURCES.map((name) => readFileSync(APP + name, 'utf8')).join('');
    expect(Object.keys(TEXTS).filter((key) => !all.includes(`'${key}'`))).toStrictEqual([]);
  });
});

/** A text, and whichever of its values it shows, when each value is a mark. */
const show = (text: string | ((...values: never[]) => string), marks: readonly string[]) => {
  const shown = typeof text === 'string' ? text : Reflect.apply(text, undefined, marks);
  return { shown, values: marks.filter((mark) => shown.includes(mark)) };
};

describe('TEXTS', () => {
  it.each(Object.entries(TEXTS))('says %s in both languages, with the same values', (_, { en, de }) => {
    const marks = Array.from({ length: typeof en === 'string' ? 0 : en.length }, (_, n) => `<${n}>`);
    for (const text of [en, de]) {
      const { shown, values } = show(text, marks);
      expect(values).toStrictEqual(marks);
      expect(shown.match(/`[^`]+`/g)).toStrictEqual(show(en, marks).shown.match(/`[^`]+`/g));
      expect(shown).toMatch(/\S/);
      expect(shown).not.toMatch(/undefined|\b(?:Sie|Ihr|du|dein\w*)\b/);
    }
  });
});

describe('stateWordIn', () => {
  it.each([
    ...[
      ...SHOWN_STATES,
      ...EffectState.options,
      ...OccurrenceState.options,
      'pending',
      'pass',
      'modify',
      'ask',
      'block',
    ],
    ...['healthy', 'degraded', 'unhealthy', 'offline', 'asking', 'next', 'overdue'],
  ])('has a German word for %s', (state) => {
    expect(stateWordIn('de', state) !== state || state === 'offline').toBe(true);
  });

  it('leaves a state as it is that it does not know', () => {
    expect(stateWordIn('de', 'brand-new')).toBe('brand-new');
  });
});

describe('sensorWordsIn', () => {
  it('says what code answers in both languages, and leaves other names', () => {
    for (const sensor of Object.keys(SENSOR_WORDS)) expect(sensorWordsIn('de', sensor)).not.toBe(sensor);
    expect(['en', 'de'].map((language) => sensorWordsIn(language === 'en' ? 'en' : 'de', 'tool-error'))).toStrictEqual([
      ...['an action that failed', 'eine Handlung, die gescheitert ist'],
    ]);
    expect(sensorWordsIn('de', 'chat-message')).toBe('chat-message');
  });
});
