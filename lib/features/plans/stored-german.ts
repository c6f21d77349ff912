/** Stored sentences of plans in German: cards, outputs and faults. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const PLAN_STORED: readonly SentencePair[] = [
  ['The plan as it stands: {1}', 'Der Plan, wie er dasteht: {1}'],
  [
    'Your yes covers each of these calls once, in this order. Any change of the plan ends it.',
    'Das Ja gilt für jeden dieser Aufrufe einmal, in dieser Reihenfolge. Jede Änderung des Plans beendet es.',
  ],
  [
    'Words from outside have a part in it: each call asks you when it comes. Any change of the plan ends your yes.',
    'Worte von außen haben Anteil daran: Jeder Aufruf fragt, wenn er kommt. Jede Änderung des Plans beendet das Ja.',
  ],
  ['If a step fails, those behind it are left out.', 'Scheitert ein Schritt, bleiben die danach weg.'],
  ['SHA-256 of the plan: {1}', 'SHA-256 des Plans: {1}'],
  [
    'the plan was changed since the card was made: approve it again',
    'der Plan wurde geändert, seit die Karte entstand: neu freizugeben',
  ],
  [
    'the plan was changed since its yes, which so is over: {1} asks anew',
    'der Plan wurde seit dem Ja geändert, das damit endet: {1} fragt neu',
  ],
  ['{1} of {2} steps of the plan were done: {3}', '{1} von {2} Schritten des Plans wurden getan: {3}'],
  ['{1} of {2} steps of the plan are done.', '{1} von {2} Schritten des Plans sind getan.'],
  ['The plan runs: {1} shows its steps, {2} ends it.', 'Der Plan läuft: {1} zeigt seine Schritte, {2} beendet ihn.'],
  [
    'It stands in the note {1}. The owner may edit it, and has it performed by: {2}',
    'Er steht in der Notiz {1}. Er lässt sich ändern, und wird ausgeführt durch: {2}',
  ],
  ['only the run of a plan marks it', 'nur der Lauf eines Plans trägt seine Zustände ein'],
  ['hash is not that of these steps', 'hash gehört nicht zu diesen Schritten'],
  [
    'give title for a new plan, or plan for one that there is',
    'title für einen neuen Plan angeben, oder plan für einen vorhandenen',
  ],
  ['steps[{1}].tool is no tool that a plan may call', 'steps[{1}].tool ist kein Werkzeug für einen Plan'],
  ['steps[{1}].step belongs to a plan that there is', 'steps[{1}].step gehört zu einem vorhandenen Plan'],
  [
    'the step {1} is no open step in words alone of this plan',
    'der Schritt {1} ist kein offener Schritt dieses Plans, der nur in Worten dasteht',
  ],
];
