/** Which key the endpoint that makes vectors gets, where it has none of its own: that of OPENAI_BASE_URL, at the same address only. Pure. */
export const keyBeside = (
  variables: Readonly<Record<string, string | undefined>>,
): { readonly EMBEDDING_API_KEY?: string } => {
  const { EMBEDDING_MODEL: model, EMBEDDING_API_KEY: own, EMBEDDING_BASE_URL: url, OPENAI_API_KEY: key } = variables;
  if (model === undefined || own !== undefined || key === undefined) return {};
  return url === undefined || url === variables.OPENAI_BASE_URL ? { EMBEDDING_API_KEY: key } : {};
};
