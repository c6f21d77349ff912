/**
 * A script for a page in a browser: sends everything that a page can send to these origins, and
 * gives the names of what it could read, load or open.
 */
const SCRIPT = `async (targets) => {
      const got = [];
      const paths = ['/', '/health', '/api/signals', '/_fauxqs/queues', '/v1/models', '/__aimock/journal', '/telegram'];
      const frame = (name) => {
        const made = document.createElement('iframe');
        made.name = name;
        document.body.append(made);
      };
      const settle = (start) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, 3_000);
          start((what) => {
            if (what !== undefined) got.push(what);
            clearTimeout(timer);
            resolve();
          });
        });
      const read = async (what, address, init) => {
        try {
          const answer = await fetch(address, init);
          if (answer.type !== 'opaque' && answer.ok) got.push(\`\${what} \${address} \${answer.status}\`);
        } catch {
          // Refused by the browser, or by the server.
        }
      };
      const load = (tag, address) =>
        settle((done) => {
          const made = document.createElement(tag);
          made.onload = () => done(\`\${tag} \${address}\`);
          made.onerror = () => done();
          if (made instanceof HTMLLinkElement) Object.assign(made, { rel: 'stylesheet', href: address });
          else made.src = address;
          document.body.append(made);
        });
      const post = (address, enctype) => {
        const name = \`frame\${document.forms.length}\`;
        frame(name);
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action: address, enctype, target: name });
        for (const [field, value] of [
          ['Action', 'CreateTopic'],
          ['Name', 'x'],
          ['text', 'hello'],
        ]) {
          const input = document.createElement('input');
          Object.assign(input, { name: field, value });
          form.append(input);
        }
        document.body.append(form);
        form.submit();
      };
      const body = '{"TableName":"passepartout","QueueUrl":"x","text":"hello"}';
      for (const origin of targets) {
        const work = [];
        for (const path of paths) {
          const address = \`\${origin}\${path}\`;
          work.push(read('read', address, {}));
          work.push(read('blind', address, { mode: 'no-cors' }));
          work.push(read('post', address, { method: 'POST', mode: 'no-cors', body }));
        }
        for (const target of ['DynamoDB_20120810.Scan', 'AmazonSQS.ListQueues']) {
          const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
          work.push(read(target, \`\${origin}/\`, { method: 'POST', headers, body }));
        }
        const json = { 'content-type': 'application/json', authorization: 'Bearer x' };
        work.push(read('message', \`\${origin}/api/messages\`, { method: 'POST', headers: json, body }));
        work.push(read('model', \`\${origin}/v1/chat/completions\`, { method: 'POST', headers: json, body }));
        for (const tag of ['img', 'script', 'link']) work.push(load(tag, \`\${origin}/\`));
        work.push(
          settle((done) => {
            const events = new EventSource(\`\${origin}/api/signals/x/stream\`);
            events.onopen = () => done(\`events \${origin}\`);
            events.onerror = () => {
              events.close();
              done();
            };
          }),
          settle((done) => {
            const socket = new WebSocket(\`\${origin.replace('http', 'ws')}/\`);
            socket.onopen = () => done(\`socket \${origin}\`);
            socket.onerror = () => done();
          }),
        );
        navigator.sendBeacon(\`\${origin}/webhook/forge\`, body);
        for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])
          post(\`\${origin}/\`, type);
        await Promise.all(work);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      return got;
}`;

/** To be evaluated in the page. */
export const hostileScript = (origins: readonly string[]): string => `(${SCRIPT})(${JSON.stringify(origins)})`;
