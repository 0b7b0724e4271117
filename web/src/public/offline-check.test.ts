import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OFFLINE_COMMANDS } from './receipt-screen.tsx';

const content = { version: 1, id: '4M8TX-Q2WVK', answeredCount: 22, totalQuestions: 25 };

test('verifies a receipt with the commands on the page and rejects a changed one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
  const check = (receipt: string) => {
    writeFileSync(join(folder, 'receipt.txt'), receipt);
    return execFileSync('sh', ['-c', OFFLINE_COMMANDS], { cwd: folder, stdio: 'pipe' }).toString();
  };
  try {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(
      join(folder, 'receipt-key.pem'),
      publicKey.export({ format: 'pem', type: 'spki' }),
    );
    const body = Buffer.from(JSON.stringify(content)).toString('base64url');
    const signature = sign(null, Buffer.from(body), privateKey).toString('base64url');
    expect(check(`${body}.${signature}\r\n`)).toContain('Signature Verified Successfully');
    const forged = Buffer.from(JSON.stringify({ ...content, answeredCount: 25 }));
    expect(() => check(`${forged.toString('base64url')}.${signature}\n`)).toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
