/** Typeform: typeform.com/developers, "Secure your webhooks" and "Example payload". */
import * as z from 'zod/mini';
import { hmac, named } from '../scheme.ts';

const Title = z.catch(z.string(), '');
const Response = z.object({
  form_response: z.object({
    definition: z.object({ title: Title, fields: z.catch(z.array(z.object({ id: z.string(), title: Title })), []) }),
    answers: z.catch(z.array(z.looseObject({ type: z.string(), field: z.object({ id: z.string() }) })), []),
  }),
});
const Choice = z.object({ label: z.string() });
const Choices = z.object({ labels: z.array(z.string()) });

/** The value stands in the member that the answer's type names. */
const wordsOf = (value: unknown): string =>
  Choice.safeParse(value).data?.label ?? Choices.safeParse(value).data?.labels.join(', ') ?? String(value);

export const typeform = hmac(
  { signature: 'typeform-signature', prefix: 'sha256=', encoding: 'base64' },
  {
    where: 'form, Connect, Webhooks, Edit: Secret',
    idMember: 'event_id',
    forms: { form_response: 'An answer to “{{form_response.definition.title}}”: {{answers}}' },
    values: (body) => {
      const { definition, answers } = Response.safeParse(body).data?.form_response ?? {};
      const lines = answers?.map((answer) => {
        const title = definition?.fields.find(({ id }) => id === answer.field.id)?.title ?? '';
        return `${title}${title === '' ? '' : ': '}${wordsOf(answer[answer.type])}`;
      });
      return { answers: lines?.join('; ') ?? '' };
    },
    nameEvent: (body) => named(body.event_type),
  },
);
