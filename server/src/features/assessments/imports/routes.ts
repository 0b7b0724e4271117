import { Readable } from 'node:stream';
import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { fileTime } from '../../../http/file-time.ts';
import { checkExport, exportQuestions } from './export-questions.ts';
import { parseOrder } from './parse-order.ts';
import { openImport } from './read-import.ts';
import { storeImport } from './store-import.ts';

const EXTENSIONS = { csv: 'csv', gift: 'gift', moodle_xml: 'xml', qti_3: 'zip' } as const;

export function importHandlers(ctx: AppContext) {
  return {
    async readImport({ query, body }) {
      return { status: 200, body: openImport(ctx, { ...query, bytes: body }) };
    },
    async importFile({ body, session, now, reply: { raw } }) {
      const { order, file } = parseOrder(body);
      const left = new AbortController();
      raw.once('close', () => left.abort());
      const by = session.adminId;
      return { status: 201, body: await storeImport(ctx, by, order, file, now, left.signal) };
    },
    async checkExport({ query: { format, ...filter } }) {
      return { status: 200, body: await checkExport(ctx, format, filter) };
    },
    async exportQuestions({ query: { format, ...filter }, session, now }) {
      const file = await exportQuestions(ctx, session.adminId, format, filter, now);
      const name = `questions_${fileTime(now, ctx.config.timeZone)}.${EXTENSIONS[format]}`;
      return {
        status: 200,
        body: Readable.from([file]),
        headers: { 'content-disposition': `attachment; filename="${name}"` },
      };
    },
  } satisfies Handlers;
}
