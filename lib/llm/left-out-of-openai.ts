/**
 * Stands in the bundles for the parts of the `openai` client that name its endpoints: we send with
 * its `post`, and judge what comes back ourselves. The client itself, how it sends, waits and names
 * what went wrong, is the real one. Whatever is left out can be made, because the client makes all
 * of its API at once; whoever asks anything of it, or of what was made, gets an Error with its
 * name. A release of the package that has parts unknown here does not build.
 */
const refuse = (name: string) => (): never => {
  throw new Error(`openai: ${name} is left out of this bundle (lib/llm/left-out-of-openai.ts)`);
};

const leftOut = (name: string): object => {
  const made = new Proxy({}, { get: refuse(name) });
  return new Proxy(Object, { construct: () => made, get: refuse(name) });
};

export const Admin = leftOut('Admin');
export const Audio = leftOut('Audio');
export const Batches = leftOut('Batches');
export const Beta = leftOut('Beta');
export const Chat = leftOut('Chat');
export const Completions = leftOut('Completions');
export const Containers = leftOut('Containers');
export const ContentProvenanceChecks = leftOut('ContentProvenanceChecks');
export const Conversations = leftOut('Conversations');
export const Decisions = leftOut('Decisions');
export const Embeddings = leftOut('Embeddings');
export const Evals = leftOut('Evals');
export const Files = leftOut('Files');
export const FineTuning = leftOut('FineTuning');
export const Graders = leftOut('Graders');
export const Images = leftOut('Images');
export const Live = leftOut('Live');
export const Models = leftOut('Models');
export const Moderations = leftOut('Moderations');
export const Realtime = leftOut('Realtime');
export const Responses = leftOut('Responses');
export const Safety = leftOut('Safety');
export const Skills = leftOut('Skills');
export const Uploads = leftOut('Uploads');
export const VectorStores = leftOut('VectorStores');
export const Videos = leftOut('Videos');
export const Webhooks = leftOut('Webhooks');
