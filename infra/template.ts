/** Parts of a synthesised template, as far as this project reads them back. */
import * as z from 'zod/mini';

const FunctionMetadata = z.object({
  name: z.string(),
  entry: z.string(),
  routes: z.array(z.string()),
  secrets: z.array(z.string()),
});

const Resource = z.object({
  Type: z.string(),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  Metadata: z.optional(
    z.object({ passepartout: z.optional(FunctionMetadata), 'aws:asset:path': z.optional(z.string()) }),
  ),
});
export type Resource = z.infer<typeof Resource>;

export const Template = z.object({ Resources: z.record(z.string(), Resource) });
export type Template = z.infer<typeof Template>;

/** @throws ZodError naming the path that does not fit */
export const parseTemplate = (value: unknown): Template => Template.parse(value);
