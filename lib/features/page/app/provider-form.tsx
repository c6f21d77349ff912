/** Adds a model provider: its key goes to the vault, and is never shown or given back. */
import { useSignal } from '@preact/signals';
import { TextField, useSubmit } from './forms.tsx';
import { phrase } from './language.ts';
import { post } from './server.ts';

export const ProviderForm = () => {
  const [name, url, models, key] = [useSignal(''), useSignal(''), useSignal(''), useSignal('')];
  const { submit, button } = useSubmit({
    ...{ id: 'add-provider', label: phrase('addProvider') },
    send: async () => {
      const [given, baseUrl] = [key.value.trim(), url.value.trim()];
      // It leaves the form whatever becomes of it.
      key.value = '';
      if (given !== '') await post('/api/provider-key', { name: name.value, baseUrl, key: given });
      const chosen = models.value.trim() === '' ? {} : { models: models.value.trim() };
      return post('/api/provider/add', { name: name.value, url: baseUrl, ...chosen });
    },
  });
  return (
    <form onSubmit={submit} autocomplete="off">
      <TextField
        id="provider-name"
        label={phrase('providerName')}
        example="groq"
        value={name.value}
        onChange={(value) => {
          name.value = value;
        }}
      />
      <TextField
        id="provider-url"
        label={phrase('providerUrl')}
        example="https://api.example.com/v1"
        value={url.value}
        onChange={(value) => {
          url.value = value;
        }}
      />
      <TextField
        id="provider-models"
        label={phrase('providerModels')}
        isRequired={false}
        value={models.value}
        onChange={(value) => {
          models.value = value;
        }}
      />
      <TextField
        id="provider-key"
        label={phrase('providerKey')}
        about={phrase('aboutKey')}
        isSecret
        isRequired={false}
        value={key.value}
        onChange={(value) => {
          key.value = value;
        }}
      />
      {button}
    </form>
  );
};
