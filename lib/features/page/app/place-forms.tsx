/** Forms with pick lists for what news and texts go to: a webhook, and a place with a name. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Choice, TextField, useSubmit } from './forms.tsx';
import { phrase } from './language.ts';
import { attempt, get, post } from './server.ts';
import { news } from './state.ts';

interface Subscriptions {
  readonly kinds: readonly string[];
  readonly subscriptions: readonly { readonly target: string; readonly news: readonly string[] }[];
}

/** Says to a webhook which news it gets; none of them ends its subscription. */
export const HookForm = () => {
  const all = useSignal<Subscriptions>({ kinds: [], subscriptions: [] });
  const [chosen, target, told] = [useSignal(''), useSignal(''), useSignal<readonly string[]>([])];
  useEffect(
    () =>
      void attempt(async () => {
        all.value = await get<Subscriptions>('/api/hooks/subscriptions');
      }),
    [news.value],
  );
  const { submit, button } = useSubmit({
    ...{ id: 'save-hook', label: phrase('save') },
    send: () =>
      told.value.length === 0
        ? post('/api/hooks/unsubscribe', { target: target.value })
        : post('/api/hooks/subscribe', { target: target.value, news: told.value.join(',') }),
  });
  const { kinds, subscriptions } = all.value;
  return (
    <form onSubmit={submit}>
      <Choice
        id="hook-which"
        label={phrase('whichHook')}
        value={chosen.value}
        choices={[['', phrase('newHook')], ...subscriptions.map((one) => [one.target, one.target] as const)]}
        onChange={(value) => {
          [chosen.value, target.value] = [value, value];
          told.value = subscriptions.find((one) => one.target === value)?.news ?? [];
        }}
      />
      {chosen.value === '' && (
        <TextField
          id="hook-target"
          label={phrase('hookTarget')}
          value={target.value}
          onChange={(value) => {
            target.value = value;
          }}
        />
      )}
      <fieldset>
        <legend>{phrase('hookNews')}</legend>
        <div class="fields">
          {kinds.map((kind) => (
            <label key={kind} lang="en">
              <input
                type="checkbox"
                checked={told.value.includes(kind)}
                onChange={({ currentTarget: { checked } }) => {
                  told.value = kinds.filter((one) => (one === kind ? checked : told.value.includes(one)));
                }}
              />{' '}
              {kind}
            </label>
          ))}
        </div>
      </fieldset>
      {button}
    </form>
  );
};

interface PlaceFields {
  readonly name: string;
  /** With commas between them. */
  readonly chats: string;
}

/** Names a chat, or several; a name without any ends. */
export const PlaceForm = () => {
  const places = useSignal<readonly PlaceFields[]>([]);
  const [chosen, name, chats] = [useSignal(''), useSignal(''), useSignal('')];
  useEffect(
    () =>
      void attempt(async () => {
        places.value = (await get<{ places: readonly PlaceFields[] }>('/api/chats/names')).places;
      }),
    [news.value],
  );
  const { submit, button } = useSubmit({
    ...{ id: 'save-place', label: phrase('save') },
    send: () =>
      chats.value.trim() === ''
        ? post('/api/chats/unname', { name: name.value })
        : post('/api/chats/name', { chat: chats.value, name: name.value }),
  });
  return (
    <form onSubmit={submit}>
      <Choice
        id="place-which"
        label={phrase('whichPlace')}
        value={chosen.value}
        choices={[['', phrase('newPlace')], ...places.value.map((one) => [one.name, one.name] as const)]}
        onChange={(value) => {
          [chosen.value, name.value] = [value, value];
          chats.value = places.value.find((one) => one.name === value)?.chats ?? '';
        }}
      />
      {chosen.value === '' && (
        <TextField
          id="place-name"
          label={phrase('placeName')}
          value={name.value}
          onChange={(value) => {
            name.value = value;
          }}
        />
      )}
      <TextField
        id="place-chats"
        label={phrase('placeChats')}
        pick="chats"
        isRequired={chosen.value === ''}
        value={chats.value}
        onChange={(value) => {
          chats.value = value;
        }}
      />
      {button}
    </form>
  );
};
