import fastifySwagger from '@fastify/swagger';
import { PLATFORM_VERSION } from '@invigil/core/domain/limits';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** The print of the endpoint table: OpenAPI 3.1 at /api/openapi.json. */
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
    app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  },
  { name: 'openapi' },
);
