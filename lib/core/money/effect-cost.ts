/** The price of an action beside the model. Pure. */
import type { Action } from '../signal/action.ts';
import { READ_ATTACHMENT } from '../signal/attachment.ts';
import { VOICE_NOTE } from '../signal/ids.ts';
import { DELEGATE } from '../signal/job-run.ts';
import { SPOKEN_CHARACTER, toolPrice } from './caps.ts';

/** Micro-dollars that a spoken character costs at most, if the owner names no price. */
export const SPOKEN_CHAR_PRICE_MAX = 30;

/** Micro-dollars of an action: 0 unless there is a price for it. */
export const effectCost = (
  { target, tool = '', to = '', args, template, text = '' }: Action,
  costs: ReadonlyMap<string, number>,
): number => {
  if (template === VOICE_NOTE) return Math.ceil(text.length * (costs.get(SPOKEN_CHARACTER) ?? SPOKEN_CHAR_PRICE_MAX));
  if (tool === READ_ATTACHMENT) return Number(args?.price ?? 0);
  if (tool === DELEGATE) return typeof args?.capUsd === 'number' ? args.capUsd : 0;
  return costs.get(target === 'webhook' ? to : toolPrice(tool)) ?? 0;
};
