/** Code of the tools of providers that is loaded with their first call. */
import { buildProviderPowers } from './provider-powers.ts';

export const PROVIDER_PARTS = { buildProviderPowers } as const;
