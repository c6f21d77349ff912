/** The knowledge that the forms of tools get about a call. */
import type { FormContext } from '../tools/tool.ts';
import type { FactSources, SpaceState } from './fact-sources.ts';

export type FormSources = Pick<FactSources, 'now' | 'zone' | 'reply' | 'session' | 'reads' | 'setup'> & {
  readonly state?: Partial<SpaceState>;
};

export const formContext = ({ now, zone = 'UTC', reply, session, reads, setup, state }: FormSources): FormContext => ({
  readRow: async () => undefined,
  loadNotes: async () => new Map(),
  ...reads,
  now,
  zone,
  reply,
  session,
  whyOff: state?.whyOff,
  webhookUrls: setup?.webhookUrls,
  webhookCalls: setup?.webhookCalls,
  services: setup?.services,
  places: state?.places,
  records: state?.records ?? {},
});
