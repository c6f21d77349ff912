/** Code of the tools of providers that is loaded with their first call. */
import { performProviderTool } from './provider-powers.ts';

export const PROVIDER_PARTS = { performProviderTool } as const;
