/** Loads what lies in the store of contents: pictures for a request, texts for the gates. */
import type { ModelRequest } from '../../llm/chat.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import { buildContents, type ContentEnv } from '../../store/contents.ts';

/** @returns undefined if it is not kept: Act, which can read it again, judges it then */
export const loadDocumentText = async (env: ContentEnv, hash: string): Promise<string | undefined> =>
  buildContents(env)?.loadText(hash);

/** For the request alone. One that is gone is left out. */
export const loadPictures = async (
  env: ContentEnv,
  { messages }: Pick<Prompt, 'messages'>,
): Promise<NonNullable<ModelRequest['pictureData']>> => {
  const contents = buildContents(env);
  const data = new Map<string, string>();
  for (const message of messages)
    for (const { hash, type } of message.role === 'user' ? (message.pictures ?? []) : []) {
      const bytes = await contents?.load(hash);
      if (bytes !== undefined) data.set(hash, `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`);
    }
  return data;
};
