/**
 * The operations over HTTP. A look is `GET /api/<noun>/<verb>?<argument>=…` → its data, and
 * `lines` for a person. A change is `POST /api/<noun>/<verb>` with its arguments as JSON →
 * 202 {"id"}: it becomes the same command that a chat sends, and the pipeline decides from who
 * sent it. `session` and `idempotencyKey` in the query stand for what they are in
 * POST /api/messages.
 */

import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { JsonObject, parseWith } from '../../base/json.ts';
import { acceptedLanguage, type Language, languageFor } from '../../base/language.ts';
import { SESSION_NAME } from '../../channels/console/parse-message.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { languageOf, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import type { Standing } from '../../ledger/standing.ts';
import { type Feature, loadHandler, operationsIn } from '../../operations/feature.ts';
import type { Change, Direct, Look, LookContext, Operation } from '../../operations/operation.ts';
import { readArgs } from '../../operations/read-words.ts';
import { isTyped } from '../../operations/rights.ts';
import { MAIN_CONSOLE } from '../../signal/channels.ts';
import { loadItem } from '../../store/load-named.ts';
import { postCommand } from './messages.ts';
import { needOf, pathOf } from './operation-path.ts';
import { type ConsoleDeps, parseBody, type Route, type RouteCall, route } from './router.ts';
import { type Caller, hasScope } from './tokens.ts';

export const loadLazy = () => import('./lazy.ts');

const standingOf = (caller: Caller): Standing => {
  if (caller.kind === 'approver') return 'approver';
  return hasScope(caller, 'speak-as-owner') ? 'owner' : 'anyone';
};

const Query = z.looseObject({
  session: z._default(z.string().check(z.regex(SESSION_NAME)), 'main'),
  idempotencyKey: z.optional(z.string()),
});

/** The first that the client asks for and the product speaks, or that of the console. */
export const chooseLanguage = async ({ table, space }: ConsoleDeps, accepted?: string): Promise<Language> => {
  const asked = acceptedLanguage(accepted);
  return asked ?? languageOf(readOwnerSettings(await loadItem(table, ownerSettingsKey(space))), MAIN_CONSOLE);
};

/** @param query its arguments, and the conversation */
export const answerLook = async (
  deps: ConsoleDeps,
  operation: Look,
  caller: Caller,
  query: Readonly<Record<string, string>>,
  language: Language,
): Promise<object> => {
  const { session, ...args } = parseWith('the query', query, Query);
  const handler = await loadHandler(deps.features, operation);
  if (!('look' in handler)) throw new Error(`${operation.name} has no look`);
  const { table, space, loadMemory, settings } = deps;
  const { assistant, providerNames, caps, zone = 'UTC', configured } = settings;
  const context: LookContext = {
    ...{ table, space, loadMemory, assistant, providerNames, caps, zone, configured },
    language,
    now: deps.now(),
    session: `console:${session}`,
    isHidden: () => false,
    standing: standingOf(caller),
  };
  const { data, lines } = await handler.look(context, args);
  return { ...Object(data), ...defined({ lines }) };
};

const answerChange = (deps: ConsoleDeps, operation: Change, call: RouteCall): Promise<HttpResponse> => {
  const { session, idempotencyKey } = parseWith('the query', Object.fromEntries(call.request.query), Query);
  const args = parseBody(call.request, JsonObject);
  readArgs(operation, args);
  const [noun = '', verb = ''] = operation.name.split(' ');
  const rest = `${verb} ${JSON.stringify(args)}`.trim();
  return postCommand(deps, call, { noun, rest, conversation: session, idempotencyKey });
};

const answerDirect = async (deps: ConsoleDeps, operation: Direct, { request }: RouteCall): Promise<HttpResponse> => {
  const handler = await loadHandler(deps.features, operation);
  if (!('direct' in handler)) throw new Error(`${operation.name} is not answered here`);
  const language = await chooseLanguage(deps, request.headers['accept-language']);
  return respondJson(202, await handler.direct({ ...deps, language }, parseBody(request, JsonObject)));
};

const routeOf = (operation: Operation): Route<ConsoleDeps> =>
  operation.kind === 'look'
    ? route('GET', pathOf(operation), 'read', async (deps, { request, caller }) => {
        const accepted = request.headers['accept-language'];
        // An answer that no chat shows is for programs, which name their language.
        const language = isTyped(operation) ? await chooseLanguage(deps, accepted) : languageFor(accepted);
        const answer = await answerLook(deps, operation, caller, Object.fromEntries(request.query), language);
        return respondJson(200, answer, { 'content-language': language });
      })
    : route('POST', pathOf(operation), needOf(operation), (deps, call) =>
        operation.kind === 'direct' ? answerDirect(deps, operation, call) : answerChange(deps, operation, call),
      );

/** A route for each operation, and one for their description. */
export const operationRoutes = (features: readonly Feature[]): readonly Route<ConsoleDeps>[] => {
  const operations = operationsIn(features).filter(({ doors }) => doors === undefined || doors.includes('http'));
  return [
    ...operations.map(routeOf),
    // The writer of JSON schemas is loaded with the first request for the description.
    route('GET', '/api/openapi.json', 'own', async (_, { request }) => {
      const { storedSentences, buildOpenApi } = await loadLazy();
      const say = await storedSentences.in(languageFor(request.headers['accept-language']));
      return respondJson(200, buildOpenApi(operations, say));
    }),
  ];
};
