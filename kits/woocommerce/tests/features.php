<?php

declare(strict_types=1);

namespace Automattic\WooCommerce\Utilities {
    final class FeaturesUtil
    {
        public static function declare_compatibility(string $feature, string $file, bool $positive): bool
        {
            if ($positive && is_file($file)) {
                \Shop::$features[] = $feature;
            }
            return true;
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        /** @var string */
        protected $name = '';
        /** @var array<string, mixed> */
        protected $settings = [];

        public function get_name(): string
        {
            return $this->name;
        }

        protected function get_setting(string $name, string $default = ''): mixed
        {
            return $this->settings[$name] ?? $default;
        }
    }
}
