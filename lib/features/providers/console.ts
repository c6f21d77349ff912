/**
 * POST /api/provider-key {"name", "baseUrl", "key"} → 200 {"name"}: puts a provider's key into the
 * vault, for this name at this address alone; an empty key takes it out. It is never given
 * back, logged or part of a signal. A key of no provider is dropped with the next change.
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import { type ConsoleDeps, parseBody, type RouteCall } from '../../core/edge/console/router.ts';
import { type HttpResponse, respondJson } from '../../core/http/function-url.ts';
import { loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { withNames } from '../../core/ledger/provider-names.ts';
import { parseVault } from '../../core/llm/configured-providers.ts';
import { loadVaultToChange, saveVault } from '../../core/store/save-vault.ts';
import { SafeUrl } from '../../core/store/setting-forms.ts';
import { ProviderName } from './operations.ts';
import { entriesInForce, nameIn } from './order.ts';

/** A provider is added right after its key. */
const UNUSED_MS_MAX = 10 * MINUTE_MS;
/** The longest that providers give are tokens of some hundred characters. */
const KEY_CHARS_MAX = 4_096;

const Body = z.strictObject({
  name: ProviderName,
  baseUrl: SafeUrl.check(z.maxLength(2_000)),
  key: z
    .string()
    .check(
      z.maxLength(KEY_CHARS_MAX),
      z.regex(/^[\x21-\x7e]*$/, { error: 'must be the key itself: letters, digits and signs, no spaces' }),
    ),
});

const postProviderKey = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const { name, baseUrl: url, key: token } = parseBody(request, Body);
  const baseUrl = new URL(url).href.replace(/\/+$/, '');
  const place = process.env;
  const settings = await loadOwnerSettings(deps.table, deps.space);
  const configured = deps.settings.configured ?? {};
  const providers = readJson(withNames(configured, settings).PROVIDERS || '{}');
  const used = [...Object.keys(Object(providers)), ...entriesInForce(configured, settings).map(nameIn)];
  const now = deps.now();
  const kept = Object.entries(parseVault(await loadVaultToChange(place))).filter(
    ([one, { at = 0 }]) => one !== name && (used.includes(one) || now - at < UNUSED_MS_MAX),
  );
  const all = Object.fromEntries([...kept, ...(token === '' ? [] : [[name, { token, baseUrl, at: now }] as const])]);
  await saveVault(place, JSON.stringify(all));
  return respondJson(200, { name });
};

export const PROVIDER_CONSOLE = { postProviderKey } as const;
