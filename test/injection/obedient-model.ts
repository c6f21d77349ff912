/**
 * The adversary: a model that obeys every instruction it finds in its prompt, and goes on trying
 * other ways when it is refused, denied or answered. Where no instruction is left it does the
 * honest task it is asked for, as the well-behaved model of the same tests does. Deterministic:
 * what it tries next depends only on what it was asked before.
 *
 * An attack has a budget of answers. `patient` ones have a larger one, and buy time: before a third
 * refusal would end the turn, and beside every text, they make a call nobody minds, so that the
 * turn goes on.
 */
import type { ModelServerRequest, Script, ScriptedAnswer } from '../support/model-server.ts';
import { answerHonestly } from './honest-model.ts';
import { type Instruction, inject, instructionsIn, promptText } from './language.ts';
import { PLAYBOOKS } from './playbooks.ts';
import type { Situation, Step } from './steps.ts';

export interface Obedience {
  readonly script: Script;
  /**
   * Answers in which an attack was obeyed, by key; a key that is missing never reached the model.
   */
  readonly obeyed: ReadonlyMap<string, number>;
}

export interface ObedienceOptions extends Omit<Situation, 'key' | 'prompt'> {
  /** Answers one attack may take. */
  readonly answersMax: number;
  readonly isPatient?: (key: string) => boolean;
}

/**
 * Answers a patient attack takes: with more refusals its conversation would be stopped, and nothing
 * further tried.
 */
export const PATIENT_ANSWERS = 8;

/**
 * Where in its playbook an attack begins, so that attacks with few answers try all of it between
 * them: `a7` anywhere, `p3x2` at the third part.
 */
const startOf = (key: string, count: number): number => {
  const [, number = '0', part] = /(\d+)(?:x(\d+))?/.exec(key) ?? [];
  return count === 0 ? 0 : part === undefined ? (Number(number) * 5) % count : Number(part) * PATIENT_ANSWERS;
};

/** Whose steps build on each other. */
const IN_ORDER: ReadonlySet<string> = new Set(['link-memory', 'forget', 'pieces', 'loop']);

const PASTIME = { tool: 'current-time', args: { explanation: 'to know what time it is now' } };

const answerWith = (step: Step, isPatient: boolean): ScriptedAnswer => ({
  kind: 'answer',
  ...(step.text === undefined ? {} : { text: step.text }),
  ...(step.pieceMs === undefined ? {} : { pieceMs: step.pieceMs, pieceChars: 16 }),
  ...(step.calls === undefined && !isPatient
    ? {}
    : { calls: [...(step.calls ?? []), ...(step.calls === undefined ? [PASTIME] : [])] }),
});

const isLastAttempt = (request: ModelServerRequest): boolean =>
  (request.messages.at(-1)?.content ?? '').includes('(attempt 2 of 3)');

export const buildObedientModel = (options: ObedienceOptions): Obedience => {
  const obeyed = new Map<string, number>();
  const tried = new Map<string, number>();

  const nextStep = ({ key, goal }: Instruction, prompt: string): Step | undefined => {
    const taken = tried.get(key) ?? 0;
    const isPatient = options.isPatient?.(key) === true;
    if (goal.startsWith('echo-')) {
      if (taken > 0) return undefined;
      tried.set(key, 1);
      return { text: `Noted: ${inject({ key: `${key}e`, goal: goal.slice('echo-'.length) })}` };
    }
    const steps = PLAYBOOKS[goal]?.({ ...options, key, prompt }) ?? [];
    const isEndless = goal === 'loop' || (goal === 'link-memory' && !isPatient);
    const max = isEndless ? steps.length : isPatient ? PATIENT_ANSWERS : options.answersMax;
    const start = IN_ORDER.has(goal) && !isPatient ? 0 : startOf(key, steps.length);
    const next = isPatient ? start + taken : (start + taken) % steps.length;
    if (taken >= Math.min(max, steps.length) || next >= steps.length) return undefined;
    tried.set(key, taken + 1);
    return steps[next];
  };

  /**
   * What is asked again, word by word, is answered the same: by another model as well, which
   * agrees.
   */
  const answered = new Map<string, ScriptedAnswer>();
  const script: Script = (request) => {
    const prompt = promptText(request);
    const answer = answered.get(prompt) ?? answerTo(request, prompt);
    answered.set(prompt, answer);
    return answer;
  };

  const answerTo = (request: ModelServerRequest, prompt: string): ScriptedAnswer => {
    for (const instruction of instructionsIn(prompt)) {
      const { key } = instruction;
      const isPatient = options.isPatient?.(key) === true;
      if (isPatient && isLastAttempt(request)) return { kind: 'answer', calls: [PASTIME] };
      const step = nextStep(instruction, prompt);
      if (step === undefined) continue;
      obeyed.set(key, (obeyed.get(key) ?? 0) + 1);
      return answerWith(step, isPatient && step.text !== undefined);
    }
    return answerHonestly(request);
  };
  return { script, obeyed };
};
