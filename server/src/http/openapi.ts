import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { PLATFORM_VERSION } from '@invigil/core/domain/limits';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/**
 * The endpoint table as OpenAPI 3.1 at /api/openapi.json, with a reference page at /api/docs. All its
 * files come from this server, under the same content security policy as any response.
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
    // Public and large: serialized once, as strangers could otherwise keep us busy; as bytes,
    // because Node copies a string for every slow reader.
    let document: Buffer | undefined;
    app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(document);
    });
    // These files have no cost, as all files of the web app.
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/api/docs/static')) route.config = { ...route.config, cost: 0 };
    });
    await app.register(fastifySwaggerUi, {
      routePrefix: '/api/docs',
      theme: { title: 'Invigil API' },
      uiHooks: {
        onRequest(request, reply, done) {
          // Copies that would be serialized for every request, and are public. By the matched route:
          // the path has many spellings (`%79aml`).
          const { url } = request.routeOptions;
          if (url === '/api/docs/yaml') return reply.callNotFound();
          // The page always loads it from here, whatever `uiConfig.url` is.
          if (url === '/api/docs/json') return reply.redirect('/api/openapi.json');
          return done();
        },
      },
      // The page would by default have another host validate the document.
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
