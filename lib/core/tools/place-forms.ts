/** The forms of tools whose call becomes a text: it needs a place. */
import type { JsonObject } from '../base/json.ts';
import { KIB } from '../base/limits.ts';
import type { NamedPlace, Places } from '../ledger/owner-settings.ts';
import { normaliseName } from '../signal/action.ts';
import { argumentProblems } from './argument-problems.ts';
import { fileTextOf, type Outputs, SendFileArgs, sendFile } from './send-file.ts';
import { messagesOf, PLACES_MAX, placesNamed, sendMessage, takesNoText } from './send-message.ts';
import type { FormContext, Tool, ToolForm } from './tool.ts';

/** @param isPlace whether a tool can send to a place that has a name */
const placeForm = (
  tool: Tool,
  hasPlace: (args: JsonObject, places: Places) => boolean,
  isPlace: (place: NamedPlace) => boolean,
  whyNot: (names: string) => string,
): ToolForm => ({
  complete: async (args) => args,
  findProblems: async (args, { places = new Map() }) => {
    const problems = argumentProblems(tool, args);
    if (problems.length > 0 || hasPlace(args, places)) return problems;
    const unfit = placesNamed(String(args.to), places).filter((place) => !isPlace(place));
    if (unfit.length > 0) return [whyNot(unfit.map(({ to }) => to).join(', '))];
    const names = [...places].filter(([, found]) => found.every(isPlace)).map(([name]) => name);
    return [
      `there is no place of this name; those are ${names.join(', ')} (/chats name gives a chat a name), up to ${PLACES_MAX} at once`,
    ];
  },
  describe: async () => [],
});

export const SEND_MESSAGE_FORM = placeForm(
  sendMessage,
  (args, places) => messagesOf(args, places).length > 0,
  (place) => !takesNoText(place),
  (names) => `the fields of the webhook ${names} have no place for a text; call-webhook sends it the fields it takes`,
);

const isNoWebhook = ({ target }: NamedPlace): boolean => target !== 'webhook';

/** Without a place it goes to whoever is answered. */
const SEND_FILE = placeForm(
  sendFile,
  ({ to }, places) => typeof to !== 'string' || places.get(normaliseName(to))?.every(isNoWebhook) === true,
  isNoWebhook,
  (names) => `a file goes to chats, and not to the webhook ${names}; send-message sends it a text`,
);
/** As many as a file that is written on a machine has: with its escapes it still fits an action. */
const OUTPUT_FILE_CHARS_MAX = 32 * KIB;

/** @param calls arguments of calls of `send-file` */
export const loadOutputs = async (
  calls: readonly JsonObject[],
  { loadOutput }: Partial<Pick<FormContext, 'loadOutput'>> = {},
): Promise<Outputs> => {
  const found = new Map<string, string>();
  for (const args of calls) {
    const { output } = SendFileArgs.safeParse(args).data ?? {};
    const text = output === undefined ? undefined : await loadOutput?.(output);
    const isFit = text !== undefined && text.trim() !== '' && text.length <= OUTPUT_FILE_CHARS_MAX;
    if (output !== undefined && isFit) found.set(output, text);
  }
  return found;
};

export const SEND_FILE_FORM: ToolForm = {
  ...SEND_FILE,
  findProblems: async (args, context) => {
    const problems = await SEND_FILE.findProblems(args, context);
    if (problems.length > 0) return problems;
    if (fileTextOf(args, await loadOutputs([args], context)) !== undefined) return [];
    if (args.content === undefined && args.output === undefined) return ['it needs content or output'];
    if (args.content === undefined)
      return [
        `the tool ${String(args.output)} gave no text in this turn that fits: a file has up to ${OUTPUT_FILE_CHARS_MAX} characters`,
      ];
    return [
      'a picture or document is sent by its name alone, with the ending of its type: [a picture, image/png, …] as a .png',
    ];
  },
};
