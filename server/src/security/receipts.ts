import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes, groupCode } from '@invigil/core/domain/one-time-code';

/** A receipt number people can read out: 50 random bits in two groups of five. */
export function newReceiptId(): string {
  const length = CODE_LIMITS.oneTimeCodeGroup * 2;
  return groupCode(codeFromBytes(randomBytes(length), length));
}

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key pair of a 32-byte seed (RFC 8032). */
export function receiptKeys(seed: Buffer): { privateKey: KeyObject; publicKey: KeyObject } {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** `<content>.<signature>`, both base64url. Ed25519 signatures of the same content are identical. */
export function signReceipt(privateKey: KeyObject, content: unknown): string {
  const body = Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');
  return `${body}.${sign(null, Buffer.from(body, 'ascii'), privateKey).toString('base64url')}`;
}

/** The content of a receipt with a valid signature, still to be parsed; `undefined` otherwise. */
export function openReceipt(publicKey: KeyObject, receipt: string): unknown {
  const [body, signature, ...rest] = receipt.split('.');
  if (!body || !signature || rest.length > 0) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  // Every character must match, even where the decoder would ignore a difference.
  const isExact = bytes.toString('base64url') === signature;
  if (!isExact || !verify(null, Buffer.from(body, 'utf8'), publicKey, bytes)) return undefined;
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
