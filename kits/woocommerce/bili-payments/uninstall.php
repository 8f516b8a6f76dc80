<?php

declare(strict_types=1);

// WordPress runs this file when somebody deletes the plugin. The settings contain secrets. Orders keep their bills and receipts.
defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('woocommerce_bili_settings');
