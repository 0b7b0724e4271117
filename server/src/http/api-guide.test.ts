import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTestApp } from '@invigil/testkit/app';
import { ADMIN, signInAdmin } from '@invigil/testkit/factories';
import { expect, it, onTestFinished } from 'vitest';

const GUIDE = new URL('../../../docs/integrate/api.md', import.meta.url);

it('the examples of docs/integrate/api.md work as written', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  await signInAdmin(app);
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.fastify.server.address() as AddressInfo;
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)];
  const program = spawn(process.execPath, ['--input-type=module', '-'], {
    env: {
      INVIGIL_URL: `http://127.0.0.1:${port}`,
      INVIGIL_EMAIL: ADMIN.email,
      INVIGIL_PASSWORD: ADMIN.password,
    },
  });
  program.stdin.end(blocks.map(([, code]) => code).join('\n'));
  const [output, errors] = await Promise.all([text(program.stdout), text(program.stderr)]);
  expect(errors).toBe('');
  expect(output.trim().split('\n')).toEqual([
    '5 questions',
    'version 1',
    'ada@example.org queued',
    'not an address invalid',
    expect.stringMatching(/^Participant,Participant Id,/),
  ]);
});
