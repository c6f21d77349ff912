/** The type of a known service's calls: the part of a webhook that is the same for everybody. */
import type { WebhookForm } from './setting-forms.ts';

export interface Calling extends Pick<WebhookForm, 'url' | 'says' | 'method' | 'body' | 'send' | 'content'> {
  readonly headers?: Readonly<Record<string, string>>;
}
