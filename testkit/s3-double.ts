import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface S3Double {
  endpoint: string;
  /** By key. */
  files: Map<string, Buffer>;
  /** A response to everything, until it is reset. */
  fault: { status: number; code: string } | 'silence' | undefined;
  close(): Promise<void>;
}

export const S3_KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG' };
const REGION = 'eu-test-1';
const BUCKET = 'evidence-of-tests';
export const S3_PLACE = { region: REGION, bucket: BUCKET };

/**
 * A small S3-compatible store in the test process: it puts, gets, lists and deletes, and like a real one
 * it refuses every request whose signature (AWS Signature Version 4) does not match.
 */
export async function startS3Double(): Promise<S3Double> {
  const double = { files: new Map<string, Buffer>(), fault: undefined } as unknown as S3Double;
  const server = createServer((request, response) => {
    void answer(double, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  double.endpoint = `http://127.0.0.1:${port}`;
  double.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return double;
}

async function answer(double: S3Double, request: IncomingMessage, response: ServerResponse) {
  const body = await buffer(request);
  const send = (status: number, content: string | Buffer = '') => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(content);
  };
  const refuse = (status: number, code: string) =>
    send(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  if (double.fault === 'silence') return;
  if (double.fault) return refuse(double.fault.status, double.fault.code);
  if (!isSigned(request, body)) return refuse(403, 'SignatureDoesNotMatch');
  const url = new URL(request.url ?? '/', double.endpoint);
  const [, bucket, ...rest] = url.pathname.split('/');
  if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket');
  const key = rest.join('/');
  if (request.method === 'PUT') {
    double.files.set(key, body);
    return send(200);
  }
  if (request.method === 'POST' && url.searchParams.has('delete')) {
    const keys = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1] ?? '');
    for (const gone of keys) double.files.delete(gone);
    const deleted = keys.map((gone) => `<Deleted><Key>${gone}</Key></Deleted>`).join('');
    return send(200, `<?xml version="1.0"?><DeleteResult>${deleted}</DeleteResult>`);
  }
  if (key === '') return send(200, listing(double, url.searchParams.get('prefix') ?? ''));
  const file = double.files.get(key);
  return file ? send(200, file) : refuse(404, 'NoSuchKey');
}

function listing({ files }: S3Double, prefix: string): string {
  const contents = [...files]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`);
  return `<?xml version="1.0"?><ListBucketResult><Name>${BUCKET}</Name><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

/** Whether the signature is the one that AWS documents, recomputed from the request. */
function isSigned({ headers, method, url = '/' }: IncomingMessage, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!given) return false;
  const [, id = '', day = '', region = '', signed = '', signature = ''] = given;
  const hash = String(headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false;
  const { pathname, searchParams } = new URL(url, 'http://host');
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const query = [...searchParams].map(([k, v]) => `${encode(k)}=${encode(v)}`).sort();
  const names = signed.split(';');
  const canonical = [
    method,
    pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed,
    hash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    Buffer.from(`AWS4${S3_KEYS.secretAccessKey}`),
  );
  const right = createHmac('sha256', key).update(text).digest();
  return (
    id === S3_KEYS.accessKeyId &&
    region === REGION &&
    names.includes('host') &&
    timingSafeEqual(right, Buffer.from(signature, 'hex'))
  );
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
