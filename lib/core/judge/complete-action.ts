/** Fills a call's defaults before the first gate; Act performs exactly these (I4). */
import type { Action } from '../signal/action.ts';
import { findTool } from '../tools/catalogue.ts';
import { type FormSources, formContext } from './form-context.ts';

export const completeAction = async (action: Action, sources: FormSources): Promise<Action> => {
  const form = action.target === 'tool' ? await findTool(action.tool ?? '')?.loadForm?.() : undefined;
  if (form === undefined) return action;
  return { ...action, args: await form.complete(action.args ?? {}, formContext(sources)) };
};
