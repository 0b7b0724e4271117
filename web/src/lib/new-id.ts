/**
 * A random id (UUID version 4). `crypto.randomUUID` exists on https and localhost only; a local network
 * may serve the portal without https.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const [sixth = 0, eighth = 0] = [bytes[6], bytes[8]];
  bytes[6] = (sixth & 0x0f) | 0x40;
  bytes[8] = (eighth & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
