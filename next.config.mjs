/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // A trailing slash is another address, and the API says so at both doors.
  skipTrailingSlashRedirect: true,
  // Types are checked by "npm test", against the whole project.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', '@prisma/adapter-pg', '@prisma/client', 'pg', 'pino', 'pino-pretty', 'undici'],
  // A logo of 2 MB, and what a form has beside it. A larger one is refused in words by the action itself, up to this.
  experimental: { serverActions: { bodySizeLimit: '5mb' } },
  // No page uses it, and it would fetch our own addresses for anybody.
  images: { unoptimized: true },
};
