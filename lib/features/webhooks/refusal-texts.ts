/**
 * Why a request of a webhook's sender was refused, as a code with at most one value. Programs read
 * the English sentence: the sender, the log, an answer as JSON. Pure.
 */
import { textTable } from '../../core/base/language.ts';

type Value = string | number;
const CURE = 'let the sender send JSON';

const EN = {
  // The sender is not proven.
  stale: () => 'the time of the signature is too old or too new',
  noTime: () => 'the time of the signature is missing or malformed',
  noSignature: () => 'the signature or its time is missing or malformed',
  wrongSignature: () => 'the signature does not fit',
  wrongSignatureOrTime: () =>
    'the signature does not fit; if Grafana has a Timestamp Header, the entry needs it as "time"',
  wrongToken: () => 'the token does not fit',
  wrongBodyHash: () => 'bodySHA256 does not fit the body',
  absent: (header: Value) => `${header} is missing`,
  malformed: (name: Value) => `${name} is malformed`,
  noneOrMalformed: (header: Value) => `${header} is missing or malformed`,
  wrong: (header: Value) => `${header} does not fit`,
  manySignatures: (header: Value) => `${header} holds too many signatures`,
  noSource: () => 'there is no such source',
  noSecret: () => 'there is no secret',
  mistake: (sentence: Value) => `${sentence}`,
  // Amazon SNS.
  noMessage: () => 'the body is no message of SNS',
  otherTopic: () => 'the message is of another topic',
  manyLines: () => 'a field of one line has several',
  certificatePlace: () => 'the certificate is not where Amazon has that of this region',
  noCertificate: () => 'there is no X.509 certificate at its address',
  certificateTime: () => 'the certificate is not valid now',
  certificateName: () => 'the certificate has another name',
  // The body.
  compressed: () => 'body is compressed: send it without content-encoding',
  deep: (levels: Value) => `body is nested in more than ${levels} levels; send the inner ones as text`,
  manyValues: (values: Value) => `body holds more than ${values} values; send fewer at once`,
  noObject: () => 'body is neither a JSON object nor a list',
  empty: () => `body is empty; ${CURE}`,
  markup: () => `body is XML or HTML, and no JSON; ${CURE}`,
  formInParts: () => `body is a form in parts, and no JSON; ${CURE}`,
  cut: () => `body ends too early; ${CURE}`,
  noJson: (line: Value) => `body is not valid JSON in line ${line}; ${CURE}`,
} satisfies Readonly<Record<string, (value: Value) => string>>;

type Code = keyof typeof EN;
export type Refusal = readonly [code: Code, ...values: readonly Value[]];
export type RefusalTexts = Readonly<Record<Code, (value: Value) => string>>;

export const refusalTexts = textTable<RefusalTexts>(EN, {
  de: async () => (await import('./refusal-texts-german.ts')).DE,
});

export const isRefusal = (value: unknown): value is Refusal =>
  Array.isArray(value) && Object.hasOwn(EN, String(value[0]));

export const sayRefusal = (say: RefusalTexts, [code, value = '']: Refusal): string => say[code](value);
