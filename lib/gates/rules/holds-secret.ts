/** Whether a text holds what looks like a secret, or the value of one this function holds: such a text is not sent to be embedded (I11). Pure. */
import { findConfiguredSecrets } from './find-secrets.ts';
import { findSecretFormat } from './secret-formats.ts';

/** Read as an action's text is, so that both find the same. */
export const holdsSecret = (text: string, secrets: ReadonlyMap<string, string>): boolean => {
  const asAction = { author: 'model', target: 'tool', text, explanation: '' } as const;
  return findSecretFormat(asAction) !== undefined || findConfiguredSecrets(asAction, secrets).length > 0;
};
