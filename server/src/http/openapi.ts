import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { PLATFORM_VERSION } from '@invigil/core/domain/limits';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/**
 * The print of the endpoint table: OpenAPI 3.1 at /api/openapi.json, with a reader at /api/docs. All
 * that the reader needs comes from this server, under the same content security policy as any answer.
 */
export const openApi = plugin(
  async (app: FastifyInstance) => {
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Invigil',
          version: PLATFORM_VERSION,
          description: 'Online proctored multiple-choice assessments.',
        },
        components: {
          securitySchemes: {
            session: { type: 'apiKey', in: 'cookie', name: 'invigil_session' },
          },
        },
      },
      transform: jsonSchemaTransform,
      transformObject: jsonSchemaTransformObject,
    });
    // Public and large: written once, or strangers could keep us busy with writing it; and in bytes,
    // since of a text Node copies whatever a slow reader has not taken yet.
    let document: Buffer | undefined;
    app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(document);
    });
    await app.register(fastifySwaggerUi, {
      routePrefix: '/api/docs',
      theme: { title: 'Invigil API' },
      uiHooks: {
        onRequest(request, reply, done) {
          // Copies that would be written again for every request, and are public. The matched route:
          // the path has many spellings (`%79aml`).
          const { url } = request.routeOptions;
          if (url === '/api/docs/yaml') return reply.callNotFound();
          // The reader always asks here, whatever `uiConfig.url` says.
          if (url === '/api/docs/json') return reply.redirect('/api/openapi.json');
          return done();
        },
      },
      // The reader asks another host about the document unless it is told not to.
      uiConfig: {
        validatorUrl: null,
        layout: 'BaseLayout',
        docExpansion: 'list',
        deepLinking: true,
      },
    });
  },
  { name: 'openapi' },
);
