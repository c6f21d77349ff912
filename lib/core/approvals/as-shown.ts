import type { Action } from '../signal/action.ts';
import { isStepId } from '../signal/ids.ts';

/** The action with its author as people are told: no model proposed the step of a runbook. */
export const asShown = ({ action, signalId }: { readonly action: Action; readonly signalId: string }): Action =>
  isStepId(signalId) && action.author === 'model' ? { ...action, author: 'owner' } : action;
