import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draw, wordsOf } from '../../testing/drawn.tsx';
import { OFFLINE_COMMANDS } from './offline-check.tsx';
import { ReceiptScreen } from './receipt-screen.tsx';
import { VerdictNotice } from './verdict-notice.tsx';

const content = {
  version: 1,
  id: '4M8TX-Q2WVK',
  participantId: 'p',
  submittedAt: '2026-05-14T10:20:41.000Z',
  answeredCount: 22,
  totalQuestions: 25,
  digest: 'digest',
} as const;

test('a forged receipt, one that no longer fits, one that cannot be compared, a right one', () => {
  const said = (...verdict: [valid: boolean, matches: boolean | null]) => {
    const [valid, matches] = verdict;
    const shown = valid ? content : null;
    return wordsOf(draw(<VerdictNotice verdict={{ valid, matches, content: shown }} />));
  };
  expect(said(false, null)).toMatch(/^This is not a receipt of ours\./);
  expect(said(true, false)).toMatch(/^The receipt is genuine, but the stored answers differ\./);
  expect(said(true, null)).toContain('The answers themselves are no longer stored');
  const right = said(true, true);
  expect(right).toMatch(/^This receipt is genuine\. The stored answers are exactly the ones/);
  expect(right).toContain('Receipt 4M8TX-Q2WVK');
  expect(right).toContain('Questions answered 22 of 25');
});

test('without a session: a field for a receipt, a file, the key, and how to do it alone', () => {
  const markup = draw(<ReceiptScreen />);
  const words = wordsOf(markup);
  expect(markup).toMatch(/<textarea[^>]*name="receipt"/);
  expect(markup).toMatch(/<input[^>]*type="file"/);
  for (const text of ['Check receipt', 'Choose a file', 'Save public key', OFFLINE_COMMANDS]) {
    expect(words).toContain(text.replace(/\s+/g, ' '));
  }
});

test('the commands on the page verify a receipt, and refuse a changed one', () => {
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
